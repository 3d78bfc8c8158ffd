import { type DisruptionPause, fromTimestamp, type NodeRollout, type NodeRolloutPolicy } from '@nodewright/apis';
import { aNode, aNodePool } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { RolloutObjects } from '@nodewright/operator';
import { describeRolloutOfNode } from './rollout-facts.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');
const at = '2024-03-01T10:00:00Z';
const { nodeClaim: claim } = aNode('a');

const policy: NodeRolloutPolicy = {
  metadata: { name: 'production' },
  spec: {},
  status: { admitted: [{ node: 'a', object: 'NodePool/default', variant: 'v', reason: 'Image', at, claims: 1 }] },
};
const aRollout = (status: NonNullable<NodeRollout['status']>): NodeRollout => ({
  metadata: { name: 'production-3' },
  spec: {
    policy: 'production',
    number: 3,
    cause: 'NewRelease',
    from: [],
    to: [],
    kubernetesVersion: '1.30',
    members: 12,
  },
  status,
});
const aPause = (spec: Partial<DisruptionPause['spec']>): DisruptionPause => ({
  metadata: { name: 'incident' },
  spec: { reason: 'INC-7', ...spec },
});

const describeNode = (objects: Partial<RolloutObjects>): readonly string[] => {
  if (claim === undefined) throw new Error('a node without a claim');
  const where = { nodePools: [aNodePool('default')], nodeName: 'a', now };
  return describeRolloutOfNode(claim, where, { policies: [], rollouts: [], pauses: [], ...objects });
};

test('without policies and pauses nothing is said', () => expect(describeNode({})).toEqual([]));

test('a halted rollout is told with its cause, and what the node has to do with it', () => {
  const halted = { at, reason: 'FailureBudgetExceeded' as const, message: '1 node failed', variants: [], rules: [] };
  const failures = [{ node: 'a', variant: 'v', signal: 'lease', evidence: 'silent for 91 s', at }];
  const parked = [
    { node: 'a', object: 'NodePool/default', since: at, firstAt: at, pod: 'shop/web', podDisruptionBudget: 'web' },
  ];
  const rollout = aRollout({ state: 'Halted', wave: 'canary', updated: 1, total: 12, halted, failures, parked });
  expect(describeNode({ policies: [policy], rollouts: [rollout] })).toEqual([
    'NodeRolloutPolicy production decides when it gets another image',
    'rollout production-3 is Halted in wave canary: 1 of 12 nodes updated',
    'production-3 halted at 2024-03-01T10:00:00Z: 1 node failed',
    'what leads on, beside a newer release: nodewright rollout resume production-3 --reason TEXT',
    'what leads on, beside a newer release: nodewright rollout rollback production-3 --reason TEXT',
    'it failed for production-3 at 2024-03-01T10:00:00Z, lease: silent for 91 s',
    'it is parked since 2024-03-01T10:00:00Z: pod shop/web keeps it (PodDisruptionBudget web)',
    'it was let go at 2024-03-01T10:00:00Z: Image',
  ]);
});

test('a node of a pool is let go by the name of its NodeClaim', () => {
  if (claim === undefined) throw new Error('a node without a claim');
  const where = { nodePools: [aNodePool('default')], nodeName: 'ip-10-0-0-1', now };
  const admitted = policy.status?.admitted?.map((entry) => ({ ...entry, node: claim.metadata.name })) ?? [];
  const policies = [{ ...policy, status: { admitted } }];
  const told = describeRolloutOfNode(claim, where, { policies, rollouts: [], pauses: [] });
  expect(told.at(-1)).toBe('it was let go at 2024-03-01T10:00:00Z: Image');
});

test('a rollout that waits tells for what, and since when', () => {
  const message = 'outside of windows, until 2024-03-01T22:00:00Z at the earliest';
  const condition = {
    type: 'WaitingForWindow',
    status: 'True',
    reason: 'WaitingForWindow',
    message,
    lastTransitionTime: at,
  } as const;
  const rollout = aRollout({ state: 'WaitingForWindow', total: 12, conditions: [condition] });
  expect(describeNode({ policies: [{ ...policy, status: {} }], rollouts: [rollout] }).slice(1)).toEqual([
    'rollout production-3 is WaitingForWindow: 0 of 12 nodes updated',
    `production-3 waits since ${at}: ${message}`,
  ]);
});

test('a pause is told with its reasons and its end, and not when it is over or about others', () => {
  const until = '2024-03-01T14:00:00Z';
  expect(describeNode({ pauses: [aPause({ until })] })).toEqual([
    `DisruptionPause incident: INC-7: it pauses everything voluntary until ${until}`,
  ]);
  expect(describeNode({ pauses: [aPause({ scope: { reasons: ['Drifted'] } })] })).toEqual([
    'DisruptionPause incident: INC-7: it pauses Drifted until it is resumed',
  ]);
  expect(describeNode({ pauses: [aPause({ until: at })] })).toEqual([]);
  expect(describeNode({ pauses: [aPause({ scope: { nodePools: { matchLabels: { tier: 'other' } } } })] })).toEqual([]);
});
