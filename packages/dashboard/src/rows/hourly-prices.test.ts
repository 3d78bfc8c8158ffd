import { expect, test } from 'vitest';
import { describeHourlyCost } from './hourly-prices.ts';

test('a price that is not known is none of 0', () => {
  expect(describeHourlyCost(1_234_000, 0)).toBe('$1.234 an hour');
  expect(describeHourlyCost(1_234_000, 1)).toBe('$1.234 an hour and 1 node without a known price');
  expect(describeHourlyCost(0, 3)).toBe('no known price of 3 nodes');
  expect(describeHourlyCost(0, 0)).toBe('$0.000 an hour');
});
