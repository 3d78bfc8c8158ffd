import { expect, test } from 'vitest';
import { createValueAxis } from './value-marks.ts';

test('an axis ends at a round value, and has marks at round values', () => {
  expect(createValueAxis({ most: 187, least: 1, count: 2 })).toMatchObject({ top: 200, marks: [0, 100, 200] });
  expect(createValueAxis({ most: 7_128_000, least: 1_000, count: 2 })).toMatchObject({
    top: 10_000_000,
    marks: [0, 5_000_000, 10_000_000],
  });
});

test('a value is not magnified beyond the smallest top, and all values lie on the axis', () => {
  const { top, placeOf } = createValueAxis({ most: 0, least: 2, count: 2 });
  expect(top).toBe(2);
  expect([-1, 0, 1, 2, 9].map(placeOf)).toEqual([0, 0, 0.5, 1, 1]);
});
