import { expect, test } from 'vitest';
import { advanceInSteps } from './advance-in-steps.ts';

type Machine = { readonly msPerHour: number; readonly stopAfter?: number };

/** What is asked of a sandbox on a machine that needs so long for an hour. */
async function stepsOf(target: number, { msPerHour, stopAfter = Infinity }: Machine) {
  const steps: number[] = [];
  const shares: number[] = [];
  let [now, wall] = [0, 0];
  let stop = (): void => undefined;
  const reached = await advanceInSteps({
    from: 0,
    target,
    step: async (ms) => {
      steps.push(ms);
      now += ms;
      wall += (ms / 3_600_000) * msPerHour;
      if (steps.length === stopAfter) stop();
      return now;
    },
    elapsed: () => wall,
    stopped: new Promise((resolve) => (stop = () => resolve())),
    report: (_now, share) => void shares.push(share),
  });
  return { steps, shares, reached };
}

test('steps grow while they are quick, and the last one ends at the target', async () => {
  const { steps, shares, reached } = await stepsOf(6_000_000, { msPerHour: 10 });
  expect(steps).toEqual([60_000, 120_000, 240_000, 480_000, 960_000, 1_920_000, 2_220_000]);
  expect(shares.at(-1)).toBe(1);
  expect(reached).toBe(6_000_000);
});

test('steps shrink while they are slow, to a second at least', async () => {
  const { steps } = await stepsOf(130_000, { msPerHour: 3_600_000 });
  expect(steps.slice(0, 3)).toEqual([60_000, 30_000, 15_000]);
  expect(Math.min(...steps.slice(0, -1))).toBeGreaterThanOrEqual(1_000);
});

test('a stop ends it after the current step', async () => {
  const { steps, reached } = await stepsOf(60_000_000, { msPerHour: 10, stopAfter: 2 });
  expect([steps.length, reached]).toEqual([2, 180_000]);
});

test('nothing is asked for no time', async () => {
  expect((await stepsOf(0, { msPerHour: 10 })).steps).toEqual([]);
});
