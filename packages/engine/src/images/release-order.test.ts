import { expect, test } from 'vitest';
import { compareReleases } from './release-order.ts';

test.each([
  ['v20240807', 'v20240828', -1],
  ['v20240828', 'v20240807', 1],
  ['v1.9.2', 'v1.20.0', -1],
  ['v1.20.4', 'v1.20.3', 1],
  ['v2.0.0', 'v1.20.4', 1],
  ['2024.10.08', '2024.9.10', 1],
  // A number that is not there is none.
  ['v1.20', 'v1.20.1', -1],
  ['v1.20.1', 'v1.20', 1],
  ['v1.20', 'v1.20.0', 0],
  ['v1.20.0', 'v1.20', 0],
  ['v20240828', 'v20240828', 0],
  ['latest', 'v1.0.0', -1],
  ['latest', 'latest', 0],
  [undefined, 'v20240828', 0],
  ['v20240828', undefined, 0],
  [undefined, undefined, 0],
])('%s to %s: %i', (a, b, order) => {
  expect(Math.sign(compareReleases(a, b))).toBe(order);
});
