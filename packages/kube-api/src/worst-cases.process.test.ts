import { anApiServer, countSteps, worstCases, type WorstCase } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

/** What the work on requests of a size comes to, in elements that are gone through. */
async function stepsFor({ run }: WorstCase, size: number): Promise<number> {
  const api = anApiServer();
  await run(anApiServer(), 1);
  return countSteps(() => run(api, size));
}

test.each(worstCases.map((worst) => [worst.name, worst] as const))(
  'the work grows with the size: %s',
  async (_, worst) => {
    const size = Math.min(400, Math.floor(worst.largest / 4));
    const [one, two, four] = [
      await stepsFor(worst, size),
      await stepsFor(worst, 2 * size),
      await stepsFor(worst, 4 * size),
    ];
    // A square would add four times as much with the second doubling as with the first.
    expect((four - two) / Math.max(two - one, size)).toBeLessThan(2.5);
    expect((four - two) / (2 * size)).toBeLessThan(10_000);
  },
);
