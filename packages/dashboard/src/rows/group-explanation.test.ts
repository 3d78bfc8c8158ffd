import { expect, test } from 'vitest';
import { findGroupExplanation } from './group-explanation.ts';

test.each([
  { group: 'NodePool/default', explain: 'nodepool/default' },
  { group: 'NodeGroup/workers', explain: 'nodegroup/workers' },
  { group: 'managed node group a/b', explain: undefined },
  { group: '(unmanaged)', explain: undefined },
  { group: 'constructor/a', explain: undefined },
])('the group $group is explained by $explain', ({ group, explain }) => {
  expect(findGroupExplanation(group)).toBe(explain);
});
