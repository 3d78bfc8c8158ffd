import { fromTimestamp, instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { createLogger, type LoggerOptions } from './logger.ts';

function aLog(options: Partial<LoggerOptions> = {}) {
  const lines: string[] = [];
  const clock = { now: () => fromTimestamp('2024-01-28T16:01:38.547Z') };
  const log = createLogger({ clock, sink: { write: (line) => void lines.push(line) }, ...options });
  return { lines, log };
}

test('a line has the keys of a Karpenter log, in its order', () => {
  const { log, lines } = aLog({ commit: 'a70b39e' });
  log.named('provisioner').info('computed new nodeclaim(s) to fit pod(s)', { nodeclaims: 1, pods: 2 });
  expect(lines).toEqual([
    '{"level":"INFO","time":"2024-01-28T16:01:38.547Z","logger":"controller.provisioner",' +
      '"message":"computed new nodeclaim(s) to fit pod(s)","commit":"a70b39e","nodeclaims":1,"pods":2}\n',
  ]);
});

test('names grow from left to right', () => {
  const { log, lines } = aLog();
  log.named('nodeclaim').named('lifecycle').warn('slow');
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'WARN', logger: 'controller.nodeclaim.lifecycle' });
});

test('fields of a turn are in each of its lines, and asked for once', () => {
  const { log, lines } = aLog({ commit: 'a70b39e' });
  let asked = 0;
  const turn = log.with(() => ({ controller: 'provisioner', reconcileID: `id-${(asked += 1)}` }));
  expect(asked).toBe(0);
  turn.info('one', { pods: 1 });
  turn.info('two');
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
    { message: 'one', commit: 'a70b39e', controller: 'provisioner', reconcileID: 'id-1', pods: 1 },
    { message: 'two', commit: 'a70b39e', controller: 'provisioner', reconcileID: 'id-1' },
  ]);
});

test('what is below the level is not written', () => {
  const { log, lines } = aLog({ level: 'error' });
  log.debug('a');
  log.info('b');
  log.error('c');
  expect(lines).toHaveLength(1);
});

test('an error is its message and those of its causes; what is undefined is left out', () => {
  const { log, lines } = aLog();
  const cause = new Error('RequestLimitExceeded');
  log.error('failed', { error: new Error('could not launch', { cause }), node: undefined });
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'ERROR',
    time: '2024-01-28T16:01:38.547Z',
    logger: 'controller',
    message: 'failed',
    error: 'could not launch: RequestLimitExceeded',
  });
});

test('a message that comes too often is thinned out, second by second and each for itself', () => {
  let now = fromTimestamp('2024-01-28T16:00:00Z');
  const { log, lines } = aLog({ clock: { now: () => now } });
  const repeat = (): number => {
    lines.length = 0;
    for (let times = 0; times < 350; times++) log.info('again', { pod: `p-${times}` });
    return lines.length;
  };
  expect(repeat()).toBe(102);
  log.info('something else');
  expect(lines).toHaveLength(103);
  now = fromTimestamp('2024-01-28T16:00:01Z');
  expect(repeat()).toBe(102);
});

describe('a line that says the same again', () => {
  const start = fromTimestamp('2024-01-28T16:00:00Z');
  let now = start;
  const minutes = (count: number) => instant(start + count * 60_000);
  const every10SecondsFor = (duration: number, say: () => void): void => {
    for (now = start; now < minutes(duration); now = instant(now + 10_000)) say();
  };
  const told = (lines: readonly string[]) =>
    lines.map((line) => JSON.parse(line) as { readonly time: string; readonly repeated?: number });
  const world = () => {
    now = start;
    return aLog({ clock: { now: () => now } });
  };

  test('is written after growing rests, with how often it came', () => {
    const { log, lines } = world();
    every10SecondsFor(200, () => log.error('ignoring nodepool, not ready', { NodePool: { name: 'a' } }));
    expect(told(lines).map(({ time, repeated }) => [time.slice(11, 16), repeated])).toEqual([
      ['16:00', undefined],
      ['16:01', 6],
      ['16:03', 12],
      ['16:07', 24],
      ['16:15', 48],
      ['16:31', 96],
      ['17:01', 180],
      ['17:31', 180],
      ['18:01', 180],
      ['18:31', 180],
      ['19:01', 180],
    ]);
  });

  test('is the same whatever figures, times and request ids its error tells, in whatever turn', () => {
    const { log, lines } = world();
    let turn = 0;
    every10SecondsFor(1, () => {
      turn += 1;
      const error = new Error(`throttled after ${turn} calls at 16:00:${turn}, request id 0a${turn}f-77`);
      log
        .with(() => ({ controller: 'c', name: 'web-1', reconcileID: `r-${turn}` }))
        .error('Reconciler error', { error });
    });
    expect(lines).toHaveLength(1);
  });

  test('is another one about another object', () => {
    const { log, lines } = world();
    for (const name of ['web-1', 'web-2']) log.error('Reconciler error', { NodeClaim: { name }, error: 'x' });
    expect(lines).toHaveLength(2);
  });

  test('is new after half an hour without it', () => {
    const { log, lines } = world();
    every10SecondsFor(1, () => log.warn('slow'));
    now = minutes(40);
    log.warn('slow');
    expect(told(lines).map(({ repeated }) => repeated)).toEqual([undefined, undefined]);
  });

  test('is written ten times at level info before any is left out, and always at level debug', () => {
    now = start;
    const { log, lines } = aLog({ clock: { now: () => now }, level: 'debug' });
    every10SecondsFor(3, () => log.info('computed new nodeclaim(s) to fit pod(s)', { nodeclaims: 1 }));
    expect(lines).toHaveLength(11);
    every10SecondsFor(3, () => log.debug('looking'));
    expect(lines).toHaveLength(11 + 18);
  });
});
