import { minutes } from '@nodewright/apis';

type Advance = {
  /** Milliseconds since the epoch, as the next. */
  readonly from: number;
  readonly target: number;
  /** Lets so many milliseconds pass in the sandbox, and gives its time afterwards. */
  readonly step: (ms: number) => Promise<number>;
  /** Milliseconds of the person who waits. */
  readonly elapsed: () => number;
  /** Resolves when that person does not want to wait any more. */
  readonly stopped: Promise<void>;
  /** Called after each step, with the share of the way that is done, 0 to 1. */
  readonly report: (now: number, share: number) => void;
};

const firstStepMs = minutes(1);
const shortestStepMs = 1_000;

/** How long a step may take: between two steps there is progress to see, and a moment to stop. */
const quickMs = 500;
const slowMs = 2_000;

/**
 * Moves a clock in many short steps, so that no request lasts for minutes.
 * @returns the time that was reached: before the target when it was stopped
 */
export async function advanceInSteps({ from, target, step, elapsed, stopped, report }: Advance): Promise<number> {
  const person = { waits: true };
  void stopped.then(() => (person.waits = false));
  let now = from;
  let length = firstStepMs;
  while (now < target && person.waits) {
    const begun = elapsed();
    now = await step(Math.min(length, target - now));
    report(now, Math.min(1, (now - from) / (target - from)));
    length = nextLength(length, elapsed() - begun);
  }
  return now;
}

function nextLength(length: number, tookMs: number): number {
  if (tookMs < quickMs) return 2 * length;
  return tookMs > slowMs ? Math.max(shortestStepMs, Math.floor(length / 2)) : length;
}
