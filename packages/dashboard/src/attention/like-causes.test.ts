import { expect, test } from 'vitest';
import type { BlockerRow } from '../rows/dashboard-rows.ts';
import { adviseOnCause } from './group-causes.ts';
import { groupLikeCauses } from './like-causes.ts';

const aRowHeldBy = (pod: string): BlockerRow => ({
  id: `node-of-${pod}`,
  node: `node-of-${pod}`,
  group: 'NodePool/default',
  because: 'AMIDrift',
  causes: [
    {
      cause: 'protectedPod',
      message: `pod default/${pod} carries the annotation karpenter.sh/do-not-disrupt`,
      object: { kind: 'Pod', name: `default/${pod}` },
    },
  ],
  explain: `node/node-of-${pod}`,
});

test.each([
  { pods: ['a', 'b'], holders: ['Pod default/a', 'Pod default/b'] },
  {
    pods: ['a', 'b', 'c', 'd', 'e'],
    holders: ['5 Pods default/a, default/b, default/c and 2 more'],
  },
])('$pods.length pods that hold for the same reason are told as $holders', ({ pods, holders }) => {
  const groups = groupLikeCauses(pods.map(aRowHeldBy));
  expect(groups.map(({ cause }) => `${cause.object?.kind} ${cause.object?.name}`)).toEqual(holders);
  expect(groups.flatMap(({ nodes }) => nodes)).toHaveLength(pods.length);
  expect(groups.flatMap(({ messages }) => messages)).toHaveLength(pods.length);
  for (const { cause } of groups) expect(adviseOnCause(cause)).toContain(cause.object?.name);
});
