import { fromTimestamp } from '@nodewright/apis';
import { planRollouts, type RolloutNode } from '@nodewright/engine';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { listAdmittedNodes } from './admitted-nodes.ts';

const at = '2024-03-01T12:00:00Z';
const nodeNames = new Map([
  ['old', 'ip-1'],
  ['new', 'ip-2'],
]);

type LetGoCase = {
  readonly fact: string;
  readonly old: Partial<RolloutNode>;
  readonly replacement?: Partial<RolloutNode>;
  readonly told: string;
};

/** What is told of a node that was let go, and of the node that replaces it. */
function describeOld(old: Partial<RolloutNode>, replacement?: Partial<RolloutNode>): readonly string[] {
  const fleet = new SimulatedFleet({ random: seededRandom('let go'), pools: [{ name: 'default', nodes: 1 }] });
  const [first] = fleet.nodes;
  if (first === undefined) throw new Error('the fleet has no node');
  const { initializedAt: _initializedAt, ...starting } = first;
  fleet.nodes = [
    { ...first, ...old, name: 'old' },
    ...(replacement === undefined ? [] : [{ ...starting, ...replacement, name: 'new', replaces: 'old' }]),
  ];
  const move = { object: 'NodePool/default', variant: first.variant, reason: 'Image', at, claims: 1 } as const;
  const admitted = [
    { ...move, node: 'old', rollout: 'test-1' },
    { ...move, node: 'old', rollout: 'test-0' },
    { ...move, node: 'gone', rollout: 'test-1' },
  ];
  fleet.policy = { ...fleet.policy, status: { admitted } };
  const snapshot = fleet.snapshot();
  const outlook = { policy: 'test', snapshot, plan: planRollouts(snapshot), waves: [], nodeNames };
  return listAdmittedNodes(outlook, { metadata: { name: 'test-1' } }).map(
    ({ node, since, standing }) => `${node} ${since} ${standing}`,
  );
}

for (const { fact, old, replacement, told } of [
  { fact: 'waits for a replacement', old: {}, told: 'waits for its replacement' },
  {
    fact: 'waits for one that starts',
    old: {},
    replacement: {},
    told: 'waits for its replacement ip-2',
  },
  {
    fact: 'waits for one that EC2 refuses',
    old: {},
    replacement: { launchFailure: { code: 'VcpuLimitExceeded', isOfImage: false } },
    told: 'its replacement ip-2 cannot be launched: VcpuLimitExceeded',
  },
  {
    fact: 'has a replacement',
    old: {},
    replacement: { initializedAt: fromTimestamp(at) },
    told: 'leaves: ip-2 replaces it',
  },
  { fact: 'is drained', old: { leaving: true }, told: 'is drained' },
  {
    fact: 'is kept by a budget until it is parked',
    old: { blockedBy: { pod: 'shop/web-1', podDisruptionBudget: 'shop/web' } },
    told: 'cannot be drained: pod shop/web-1 keeps it (PodDisruptionBudget shop/web); it is parked at 2024-03-01T12:30:00Z',
  },
] as readonly LetGoCase[])
  test(`a node that was let go and ${fact} is told with its reason`, () =>
    expect(describeOld(old, replacement)).toEqual([`ip-1 ${at} ${told}`]));
