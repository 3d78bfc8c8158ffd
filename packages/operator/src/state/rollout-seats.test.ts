import {
  type AdmittedNode,
  conditionTrue,
  nodeClaimConditions,
  type NodeClaim,
  type NodeRollout,
  withCondition,
  instant,
} from '@nodewright/apis';
import type { KubernetesClient } from '@nodewright/runtime';
import { aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { createObjects } from './objects.ts';
import { claimsKeptByPolicy } from './rollout-seats.ts';

const variant = 'AL2023/amd64/none';
const letGo: AdmittedNode = {
  node: 'old',
  object: 'NodePool/default',
  variant,
  reason: 'Image',
  rollout: 'production-1',
  at: '2026-06-01T00:00:00Z',
  claims: 1,
};

const aRollout = (halted: boolean): NodeRollout => ({
  metadata: { name: 'production-1' },
  spec: {
    policy: 'production',
    number: 1,
    cause: 'NewRelease',
    from: [],
    to: [],
    kubernetesVersion: '1.31',
    members: 1,
  },
  ...(halted && {
    status: {
      halted: { at: letGo.at, reason: 'FailureBudgetExceeded', message: '', variants: [variant], rules: [] },
    },
  }),
});

const drifted: NodeClaim = withCondition(
  nodeClaimConditions,
  {
    metadata: { name: 'old', labels: { 'karpenter.sh/nodepool': 'default' } },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  },
  conditionTrue('Drifted', 'AMIDrift', 'AMIDrift'),
  instant(0),
);

/** The claims that are kept although they say Drifted. */
function keptUnder(admitted: readonly AdmittedNode[] | undefined, { halted = false } = {}): readonly string[] {
  const objects = createObjects({} as KubernetesClient);
  objects.nodePools.cache.seen(aNodePool());
  objects.nodeClaims.cache.seen(drifted);
  objects.rollouts.cache.seen(aRollout(halted));
  if (admitted !== undefined)
    objects.rolloutPolicies.cache.seen({
      metadata: { name: 'production' },
      spec: {},
      status: { baseline: [], admitted: [...admitted] },
    });
  return claimsKeptByPolicy(objects);
}

test('a node that a policy let go goes', () => {
  expect(keptUnder([letGo])).toEqual([]);
});

test('a node that the policy has taken back stays, though its claim still says Drifted', () => {
  expect(keptUnder([])).toEqual(['old']);
});

test('a node of a rollout that has halted stays', () => {
  expect(keptUnder([letGo], { halted: true })).toEqual(['old']);
});

test('a node that goes for its age needs no rollout', () => {
  const { rollout: _, ...byAge } = letGo;
  expect(keptUnder([{ ...byAge, reason: 'Age' }])).toEqual([]);
});

test('without a policy every node that has drifted goes', () => {
  expect(keptUnder(undefined)).toEqual([]);
});
