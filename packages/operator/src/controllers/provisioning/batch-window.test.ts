import { instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { BatchWindow } from './batch-window.ts';

const limits = { idleMs: 1_000, maxMs: 10_000, largest: 30 };

/** When a window closes that pods come to at these milliseconds. */
async function closesAt(
  triggers: readonly { readonly atMs: number; readonly pod: string }[],
): Promise<number | undefined> {
  const time = virtualTime(instant(0));
  const window = new BatchWindow(time.clock, limits);
  let closed: number | undefined;
  void window.closed(new AbortController().signal).then(() => (closed = time.clock.now()));
  for (const { atMs, pod } of triggers) time.clock.at(instant(atMs), () => window.trigger(pod));
  await time.run(instant(60_000));
  return closed;
}

const every900ms = Array.from({ length: 20 }, (_, index) => ({ atMs: index * 900, pod: `pod-${index}` }));

const every10ms = Array.from({ length: 100 }, (_, index) => ({ atMs: index * 10, pod: `pod-${index}` }));

describe('a batch window', () => {
  for (const { fact, triggers, closes } of [
    { fact: 'stays open while nothing comes', triggers: [], closes: undefined },
    {
      fact: 'closes a second after the last pod',
      triggers: [
        { atMs: 0, pod: 'a' },
        { atMs: 700, pod: 'b' },
      ],
      closes: 1_700,
    },
    {
      fact: 'is not prolonged by a pod it has',
      triggers: [
        { atMs: 0, pod: 'a' },
        { atMs: 700, pod: 'a' },
      ],
      closes: 1_000,
    },
    { fact: 'closes after ten seconds however many come', triggers: every900ms, closes: 10_000 },
    { fact: 'closes as soon as enough have come for one round', triggers: every10ms, closes: 290 },
  ]) {
    test(fact, async () => {
      expect(await closesAt(triggers)).toBe(closes);
    });
  }

  test('opens at once for what came while nobody waited', async () => {
    const time = virtualTime(instant(0));
    const window = new BatchWindow(time.clock, limits);
    window.trigger('a');
    let closed: number | undefined;
    void window.closed(new AbortController().signal).then(() => (closed = time.clock.now()));
    await time.run(instant(5_000));
    expect(closed).toBe(1_000);
  });

  test('lets go of its waiter when the signal aborts', async () => {
    const window = new BatchWindow(virtualTime(instant(0)).clock, limits);
    const stopping = new AbortController();
    const closed = window.closed(stopping.signal);
    stopping.abort(new Error('stopping'));
    await expect(closed).rejects.toThrow('stopping');
  });
});
