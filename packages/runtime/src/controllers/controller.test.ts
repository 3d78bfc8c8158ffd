import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { ApiError } from '../kubernetes-client.ts';
import { createLogger } from '../observability/logger.ts';
import { createMetrics } from '../observability/metrics.ts';
import { virtualTime } from '../time/virtual-time.ts';
import { type ControllerOptions, startController } from './controller.ts';
import { controllerMetrics } from './controller-watch.ts';
import { startLoop } from './loop.ts';
import { backOff, recheckAt, requeueAfter, settled } from './result.ts';

type Turn = (key: string, signal: AbortSignal) => ReturnType<ControllerOptions['reconcile']>;

function aWorld() {
  const time = virtualTime(instant(0));
  const lines: Record<string, unknown>[] = [];
  const sink = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const log = createLogger({ clock: time.clock, sink, level: 'debug' });
  const turns: string[] = [];
  const start = (turn: Turn, options: Partial<ControllerOptions> = {}) =>
    startController({
      name: 'test',
      clock: time.clock,
      log,
      reconcile: (key, signal) => {
        turns.push(`${key} at ${time.clock.now()}`);
        return turn(key, signal);
      },
      ...options,
    });
  return { time, log, lines, turns, start };
}

const failWith =
  (error: Error): Turn =>
  async () => {
    throw error;
  };

describe('a controller', () => {
  for (const { fact, result, turns } of [
    { fact: 'leaves a settled key alone', result: settled, turns: ['a at 0'] },
    { fact: 'comes back at an instant', result: recheckAt(instant(700)), turns: ['a at 0', 'a at 700'] },
    { fact: 'settles without an instant', result: recheckAt(undefined), turns: ['a at 0'] },
    { fact: 'comes back after a while', result: requeueAfter(400), turns: ['a at 0', 'a at 400', 'a at 800'] },
    { fact: 'backs off', result: backOff, turns: ['a at 0', 'a at 100', 'a at 300', 'a at 700'] },
  ] as const) {
    test(fact, async () => {
      const world = aWorld();
      const once = result.kind === 'recheckAt' ? [result, settled] : [];
      const controller = world.start(async () => once.shift() ?? (result.kind === 'recheckAt' ? settled : result), {
        backoff: { baseMs: 100, maxMs: 1000 },
      });
      controller.enqueue('a');
      await world.time.run(instant(1000));
      expect(world.turns).toEqual(turns);
    });
  }

  test('keeps the delay of a key that is only asked for as a new one', async () => {
    const world = aWorld();
    const controller = world.start(async () => backOff, { backoff: { baseMs: 1_000, maxMs: 1_000 } });
    for (const ms of [0, 0, 100, 999, 1_500])
      world.time.clock.at(instant(ms), () => {
        controller.enqueueNew('a');
      });
    await world.time.run(instant(2_500));
    expect(world.turns).toEqual(['a at 0', 'a at 1000', 'a at 2000']);
  });

  test('leaves a gap between the turns of a key that is asked for again and again', async () => {
    const world = aWorld();
    const controller = world.start(async () => settled, { gapMs: 100 });
    for (const at of [0, 10, 20, 90, 150, 400]) {
      world.time.clock.at(instant(at), () => controller.enqueue('a'));
    }
    world.time.clock.at(instant(15), () => controller.enqueue('b'));
    await world.time.run(instant(1000));
    expect(world.turns).toEqual(['a at 0', 'b at 15', 'a at 100', 'a at 200', 'a at 400']);
  });

  test('starts a turn only after the change that asked for it has been told to everybody', async () => {
    const { time, turns, start } = aWorld();
    const controller = start(async () => settled);
    controller.enqueue('a');
    expect(turns).toEqual([]);
    await time.settle();
    expect(turns).toEqual(['a at 0']);
  });

  test('gives as many keys a turn at a time as it has workers, and each key one', async () => {
    const { time, start } = aWorld();
    const now = new Set<string>();
    let most = 0;
    const controller = start(
      async (key, signal) => {
        expect(now.has(key)).toBe(false);
        most = Math.max(most, now.add(key).size);
        await time.clock.sleep(100, signal);
        now.delete(key);
        return settled;
      },
      { workers: 3 },
    );
    for (const key of ['a', 'b', 'c', 'd', 'e']) controller.enqueue(key);
    time.clock.at(instant(50), () => controller.enqueue('a'));
    await time.run(instant(1000));
    expect(most).toBe(3);
    expect(now.size).toBe(0);
  });

  for (const { fact, error, level, message, attempts } of [
    {
      fact: 'retries an error and says so',
      error: new Error('boom'),
      level: 'ERROR',
      message: 'Reconciler error',
      attempts: 5,
    },
    {
      fact: 'retries a conflict without alarm',
      error: new ApiError({ kind: 'Status', code: 409, reason: 'Conflict', message: 'boom' }),
      level: 'DEBUG',
      message: 'reconciling again, the object has changed meanwhile',
      attempts: 5,
    },
    {
      fact: 'waits for a change when trying again is of no use',
      error: Object.assign(new Error('boom'), { retry: 'afterSpecChange' }),
      level: 'ERROR',
      message: 'Reconciler error, waiting for a change',
      attempts: 1,
    },
  ] as const) {
    test(fact, async () => {
      const { time, lines, turns, start } = aWorld();
      start(failWith(error), { backoff: { baseMs: 100, maxMs: 300 } }).enqueue('default/web');
      await time.run(instant(1000));
      expect(turns).toHaveLength(attempts);
      expect(lines[0]).toMatchObject({
        level,
        message,
        controller: 'test',
        namespace: 'default',
        name: 'web',
        error: 'boom',
      });
    });
  }

  test('limits the retries of all its keys together', async () => {
    const { time, turns, start } = aWorld();
    const options = { backoff: { baseMs: 1, maxMs: 1 }, bucket: { perSecond: 10, burst: 1 }, workers: 10 };
    const controller = start(failWith(new Error('boom')), options);
    for (const key of ['a', 'b', 'c', 'd', 'e']) controller.enqueue(key);
    await time.run(instant(1000));
    expect(turns.length).toBeLessThanOrEqual(5 + 1 + 10);
  });

  test('stops: running turns hear it, waiting keys get none, and the end is told', async () => {
    const { time, lines, turns, start } = aWorld();
    const controller = start(async (_, signal) => {
      await time.clock.sleep(60_000, signal);
      return settled;
    });
    for (const key of ['a', 'b']) controller.enqueue(key);
    controller.enqueueAt('c', instant(500));
    await time.run(instant(100));
    await time.finish(controller.stop());
    expect(time.clock.now()).toBe(100);
    await time.run(instant(100_000));
    expect(turns).toEqual(['a at 0']);
    expect(lines).toEqual([]);
  });

  test('counts its turns under the names that people know', async () => {
    const { time, start } = aWorld();
    const metrics = createMetrics();
    const results = [requeueAfter(10), backOff, settled];
    const watch = controllerMetrics(metrics);
    start(async () => results.shift() ?? failWith(new Error('boom'))('', new AbortController().signal), {
      watch,
    }).enqueue('a');
    await time.run(instant(1000));
    const text = await metrics.text();
    expect(text).toContain('controller_runtime_reconcile_total{controller="test",result="requeue_after"} 1');
    expect(text).toContain('controller_runtime_reconcile_total{controller="test",result="requeue"} 1');
    expect(text).toContain('controller_runtime_reconcile_total{controller="test",result="success"} 1');
    expect(text).toContain('workqueue_retries_total{name="test"} 1');
    expect(text).toContain('controller_runtime_active_workers{controller="test"} 0');
    expect(text).toContain('controller_runtime_max_concurrent_reconciles{controller="test"} 1');
    expect(text).toMatch(/^workqueue_work_duration_seconds_count\{name="test"\} (\d+)$/m);
    const [, turns] = /^workqueue_queue_duration_seconds_count\{name="test"\} (\d+)$/m.exec(text) ?? [];
    expect(text).toContain(`workqueue_adds_total{name="test"} ${turns}`);
  });

  test('tells how long keys wait, how many turns run, and which errors wait for a change', async () => {
    const { time, start } = aWorld();
    const metrics = createMetrics();
    const unchanged = Object.assign(new Error('not like this'), { retry: 'afterSpecChange' });
    const reconcile = async (key: string) => {
      await time.clock.sleep(2_000);
      if (key === 'b') throw unchanged;
      return settled;
    };
    const controller = start(reconcile, { watch: controllerMetrics(metrics), workers: 1 });
    for (const key of ['a', 'b']) controller.enqueue(key);
    await time.run(instant(1_000));
    const before = await metrics.text();
    expect(before).toContain('controller_runtime_active_workers{controller="test"} 1');
    expect(before).toContain('workqueue_depth{name="test"} 1');
    await time.run(instant(10_000));
    const after = await metrics.text();
    expect(after).toContain('workqueue_queue_duration_seconds_sum{name="test"} 2');
    expect(after).toContain('workqueue_work_duration_seconds_sum{name="test"} 4');
    expect(after).toContain('controller_runtime_terminal_reconcile_errors_total{controller="test"} 1');
    expect(after).toContain('controller_runtime_reconcile_errors_total{controller="test"} 1');
  });
});

describe('a loop', () => {
  test('runs at once, then as often as it says, and earlier when it is triggered', async () => {
    const { time, log } = aWorld();
    const runs: number[] = [];
    const run = async () => {
      runs.push(time.clock.now());
      return requeueAfter(10_000);
    };
    const loop = startLoop({ name: 'disruption', run, clock: time.clock, log });
    time.clock.at(instant(12_000), () => loop.trigger());
    await time.run(instant(21_000));
    expect(runs).toEqual([0, 10_000, 12_000, 20_000]);
    await time.finish(loop.stop());
    await time.run(instant(60_000));
    expect(runs).toHaveLength(4);
  });
});
