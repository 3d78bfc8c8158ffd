import { hours, minutes, toTimestamp, instant, type AdmittedNode } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { GovernedObject, RolloutNode } from '../snapshot.ts';
import { roomBlockers } from './room.ts';

const poolOf = (name: string, freeAddresses?: number): GovernedObject => ({
  id: `NodePool/${name}`,
  labels: {},
  source: 'EC2NodeClass/default',
  moves: 'byNode',
  specHash: '1',
  ...(freeAddresses === undefined ? {} : { freeAddresses }),
});
const letGo = (node: string, object: string): AdmittedNode => ({
  node,
  object,
  variant: 'v',
  reason: 'Image',
  at: toTimestamp(instant(0)),
  claims: 1,
});
const replacement = (replaces: string, initializedAt?: number) =>
  ({ name: `new-${replaces}`, replaces, ...(initializedAt === undefined ? {} : { initializedAt }) }) as RolloutNode;

const move = { object: 'NodePool/a', claims: 1, isWhole: false };
const admitted = [letGo('n-1', 'NodePool/a'), letGo('n-2', 'NodePool/b')];

for (const { fact, free, nodes, claims, held } of [
  { fact: 'fits where addresses are many, or not known', free: undefined, nodes: [], claims: 1, held: undefined },
  { fact: 'waits for nodes on their way of every pool of its class', free: 2, nodes: [], claims: 1, held: 2 },
  {
    fact: 'fits beside nodes that have joined: the free addresses know of them',
    free: 2,
    nodes: [replacement('n-1', 5)],
    claims: 1,
    held: undefined,
  },
  { fact: 'waits while they come up', free: 2, nodes: [replacement('n-1')], claims: 1, held: 2 },
  { fact: 'without a new node needs no address', free: 0, nodes: [], claims: 0, held: undefined },
] as const) {
  test(`a move ${fact}`, () => {
    const objects = [poolOf('a', free), poolOf('b', free)];
    const blockers = roomBlockers({ ...move, claims }, admitted, { objects, nodes });
    expect(blockers.map(({ message }) => message)).toEqual(
      held === undefined
        ? []
        : [
            `subnets of EC2NodeClass/default have ${free} free addresses, ${held} nodes on their way take one each; this move takes 1`,
          ],
    );
  });
}

test('a rollout takes as many nodes at a time as there are addresses, and goes on when there are more', () => {
  const policy = { preset: 'fast', waves: [{ name: 'all', nodes: '100%' }], pace: { minInterval: '0s' } } as const;
  const size = 6;
  const pools = [{ name: 'default', nodes: size }];
  const fleet = new SimulatedFleet({ random: seededRandom('room'), policy, pools });
  /** How many nodes there are beyond the size, at most, where so many addresses are free beside those of its nodes. */
  const mostExtra = (free: number, ms: number): number => {
    let most = 0;
    for (let passed = 0; passed < ms; passed += minutes(1)) {
      const freeAddresses = Math.max(0, free - (fleet.nodes.length - size));
      fleet.objects = fleet.objects.map((object) => ({ ...object, freeAddresses }));
      fleet.advanceTime(minutes(1));
      fleet.reconcile();
      most = Math.max(most, fleet.nodes.length - size);
    }
    return most;
  };
  fleet.reconcile();
  fleet.publish('v2');
  expect(mostExtra(0, minutes(30))).toBe(0);
  expect(fleet.policy.status?.conditions).toContainEqual(
    expect.objectContaining({
      type: 'BackingOff',
      status: 'True',
      message: 'NodePool/default: subnets of EC2NodeClass/default have no free address',
    }),
  );
  expect(mostExtra(2, hours(2))).toBe(2);
  expect(fleet.rollouts.at(-1)?.status?.state).toBe('Complete');
});
