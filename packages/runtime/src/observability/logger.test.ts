import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
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
    for (let times = 0; times < 350; times++) log.info('again');
    return lines.length;
  };
  expect(repeat()).toBe(102);
  log.info('something else');
  expect(lines).toHaveLength(103);
  now = fromTimestamp('2024-01-28T16:00:01Z');
  expect(repeat()).toBe(102);
});
