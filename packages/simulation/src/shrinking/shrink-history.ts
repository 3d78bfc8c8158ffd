import type { History } from '../histories/history.ts';
import { simplerHistories } from './simpler-histories.ts';

export type ShrinkOptions = {
  /** Whether a history still fails in the same way. */
  readonly fails: (history: History) => Promise<boolean>;
  /** Whether there is time for another try. */
  readonly mayGoOn: () => boolean;
};

/**
 * Makes a failing history smaller: steps are left out, first many at once, then the cluster is made simpler, until nothing
 * smaller fails or the time is over. What comes out fails.
 */
export async function shrinkHistory(history: History, options: ShrinkOptions): Promise<History> {
  let smallest = await leaveOutSteps(history, options);
  for (let found: History | undefined = smallest; found !== undefined;) {
    found = await firstThatFails(simplerHistories(smallest), options);
    smallest = found ?? smallest;
  }
  return smallest;
}

async function firstThatFails(
  histories: readonly History[],
  { fails, mayGoOn }: ShrinkOptions,
): Promise<History | undefined> {
  for (const history of histories) {
    if (!mayGoOn()) return undefined;
    if (await fails(history)) return history;
  }
  return undefined;
}

/** Leaves out runs of steps: half of them, then quarters, down to single ones. */
async function leaveOutSteps(history: History, options: ShrinkOptions): Promise<History> {
  let left = history;
  for (let size = Math.ceil(left.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < left.steps.length;) {
      if (!options.mayGoOn()) return left;
      const steps = left.steps.toSpliced(from, size);
      const smaller = { ...left, steps };
      if (await options.fails(smaller)) left = smaller;
      else from += size;
    }
  }
  return left;
}
