import { expect, test } from 'vitest';
import { describeUnwatchedKinds } from './unwatched-kinds.ts';

test('all kinds that cannot be watched are named, with why for the last one', () => {
  const why = 'pods is forbidden: User "a" cannot list resource "pods" at the cluster scope';
  expect(describeUnwatchedKinds(new Set(['Pod']), 'Pod', why)).toBe(`Pod cannot be watched: ${why}`);
  expect(describeUnwatchedKinds(new Set(['Pod', 'CSINode', 'EC2NodeClass']), 'Pod', why)).toBe(
    `CSINode, EC2NodeClass, Pod cannot be watched: of Pod, ${why}`,
  );
});
