import { expect, test } from 'vitest';
import { playBoth } from '../support/forecast-law.ts';

for (const seed of ['law-1', 'law-2', 'law-3']) {
  test(`a restored cluster goes on as the cluster itself does: ${seed}`, async () => {
    const { ran, foreseen } = await playBoth(seed);
    expect(ran.length).toBeGreaterThan(0);
    expect(foreseen).toEqual(ran);
  });
}
