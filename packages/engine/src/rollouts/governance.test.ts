import type { NodeRolloutPolicy } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { assignPolicies, type GovernableObject } from './governance.ts';

const aPolicy = (name: string, spec: NodeRolloutPolicy['spec'] = {}): NodeRolloutPolicy => ({
  metadata: { name },
  spec,
});
const aPool = (name: string, labels: Record<string, string> = {}, nodeClass = name): GovernableObject => ({
  kind: 'NodePool',
  name,
  labels,
  nodeClass,
});
const tier = (value: string) => ({ nodePools: { matchLabels: { tier: value } } });
const governed = (policies: readonly NodeRolloutPolicy[], objects: readonly GovernableObject[]) =>
  Object.fromEntries(assignPolicies(policies, objects).policyOf);

test('a policy without a selector governs everything, one with a selector for pools no group', () => {
  const group: GovernableObject = { kind: 'NodeGroup', name: 'batch', labels: { tier: 'a' } };
  expect(governed([aPolicy('p')], [aPool('x'), group])).toEqual({ 'NodePool/x': 'p', 'NodeGroup/batch': 'p' });
  expect(governed([aPolicy('p', { selector: tier('a') })], [aPool('x', { tier: 'a' }), group])).toEqual({
    'NodePool/x': 'p',
  });
});

test('the heaviest governs, then the first by name, and both are told', () => {
  const [a, b, heavy] = [aPolicy('a'), aPolicy('b'), aPolicy('z', { weight: 5 })];
  expect(governed([a, heavy], [aPool('x')])).toEqual({ 'NodePool/x': 'z' });
  const { policyOf, remarks } = assignPolicies([b, a], [aPool('x')]);
  expect(Object.fromEntries(policyOf)).toEqual({ 'NodePool/x': 'a' });
  expect(remarks.map(({ kind, policy }) => [kind, policy])).toEqual([
    ['EqualWeight', 'a'],
    ['EqualWeight', 'b'],
  ]);
});

test('pools that share a class are governed together or not at all', () => {
  const pools = [aPool('x', { tier: 'a' }, 'shared'), aPool('y', {}, 'shared'), aPool('z', { tier: 'a' })];
  const { policyOf, remarks } = assignPolicies([aPolicy('p', { selector: tier('a') })], pools);
  expect(Object.fromEntries(policyOf)).toEqual({ 'NodePool/z': 'p' });
  expect(remarks).toEqual([{ kind: 'NodeClassShared', policy: 'p', nodeClass: 'shared', pools: ['x', 'y'] }]);
});
