import { expect, test } from 'vitest';
import { imagesById } from './describe-requests.ts';

test('no question has more than the 200 values that EC2 takes in all filters of a call together', () => {
  const ids = Array.from({ length: 450 }, (_, at) => `ami-${at}`);
  const requests = imagesById(ids);
  const asked = requests.map(({ Filters = [] }) => Filters.flatMap(({ Values = [] }) => Values));
  expect(Math.max(...asked.map((values) => values.length))).toBe(200);
  expect(asked.flat().filter((value) => value.startsWith('ami-'))).toEqual(ids);
});
