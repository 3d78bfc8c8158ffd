import { seededRandom } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { foreseeRange } from './foreseen-range.ts';

const wide = { from: 0, to: 1e9 };

test('the range holds every run, and one value where all are equal', () => {
  expect(foreseeRange([70, 70, 70], wide)).toEqual({ least: 70, most: 70 });
  expect(foreseeRange([500], wide)).toEqual({ least: 500, most: 500 });
  const { least, most } = foreseeRange([100, 101, 99, 100], wide);
  expect(least).toBeLessThan(99);
  expect(most).toBeGreaterThan(101);
});

test('it is widened by a quarter at most, and never beyond what can be', () => {
  expect(foreseeRange([100, 200, 5000], { from: 0, to: 5100 })).toEqual({ least: 75, most: 5100 });
  expect(foreseeRange([40, 50], { from: 38, to: 1e9 }).least).toBe(39.5);
});

/** Times like those of replacements: some boots, one after the other, and a wait that only some of them meet. */
const drawEnd = (random: ReturnType<typeof seededRandom>, boots: number): number => {
  let sum = 0;
  for (let boot = 0; boot < boots; boot += 1) sum += 39 + 8 * random.next() + 3 * random.next();
  return sum;
};

test.each([
  [3, 1],
  [3, 4],
  [5, 2],
  [10, 1],
  [10, 6],
])('a further run lies inside of it after %i runs of %i boots', (runs, boots) => {
  const random = seededRandom(`${runs} runs, ${boots} boots`);
  let inside = 0;
  for (let nth = 0; nth < 1000; nth += 1) {
    const values = Array.from({ length: runs }, () => drawEnd(random, boots));
    const { least, most } = foreseeRange(values, wide);
    const further = drawEnd(random, boots);
    if (least <= further && further <= most) inside += 1;
  }
  expect(inside).toBeGreaterThanOrEqual(950);
});
