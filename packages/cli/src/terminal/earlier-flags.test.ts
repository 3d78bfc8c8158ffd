import { expect, test } from 'vitest';
import { currentFlagName } from './earlier-flags.ts';

test.each([
  ['--k8s', '--kubernetes-version'],
  ['--k8s=1.29', '--kubernetes-version=1.29'],
  ['--k8stles', '--k8stles'],
  ['k8s', 'k8s'],
])('%s', (typed, current) => {
  expect(currentFlagName(typed)).toBe(current);
});
