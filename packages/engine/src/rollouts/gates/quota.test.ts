import { instant, toTimestamp, type AdmittedNode, type VcpuRoom } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { RolloutNode } from '../snapshot.ts';
import { printFullQuota, quotaBlockers } from './quota.ts';

const standard = 'L-1216C47A';
const roomOf = (free: number, code = standard): VcpuRoom => ({
  code,
  name: 'Running instances',
  limit: 64,
  free,
  counted: [],
});
const nodeWith = (name: string, count?: number, fields: Partial<RolloutNode> = {}, quota = standard): RolloutNode =>
  ({
    name,
    object: 'NodePool/a',
    leaving: false,
    ...(count === undefined ? {} : { vcpus: { quota, count } }),
    ...fields,
  }) as RolloutNode;
const letGo = (node: string): AdmittedNode => ({
  node,
  object: 'NodePool/b',
  variant: 'v',
  reason: 'Image',
  at: toTimestamp(instant(0)),
  claims: 1,
});

const going = nodeWith('going', 8);

for (const { fact, free, node, others = [], claims = 1, isWhole = false, told } of [
  { fact: 'fits exactly', free: 12, node: nodeWith('n', 4), others: [going], told: undefined },
  {
    fact: 'waits for nodes on their way, whatever pool they are of',
    free: 11,
    node: nodeWith('n', 4),
    others: [going],
    told: 'has 11 of 64 vCPUs free, nodes on their way take 8; this move takes 4',
  },
  {
    fact: 'fits beside a node that has joined: it runs and is counted',
    free: 4,
    node: nodeWith('n', 4),
    others: [going, nodeWith('new', undefined, { replaces: 'going', initializedAt: instant(5) })],
    told: undefined,
  },
  {
    fact: 'takes each of its new nodes',
    free: 15,
    node: nodeWith('n', 4),
    claims: 4,
    told: 'has 15 of 64 vCPUs free; this move takes 16',
  },
  { fact: 'counts against its own limit alone', free: 0, node: nodeWith('n', 4, {}, 'L-DB2E81BA'), told: undefined },
  { fact: 'of unknown size is not held', free: 0, node: nodeWith('n'), told: undefined },
  { fact: 'without a new node needs nothing', free: 0, node: nodeWith('n', 4), claims: 0, told: undefined },
  {
    fact: 'of a whole group is the matter of its own gate',
    free: 0,
    node: nodeWith('n', 4),
    isWhole: true,
    told: undefined,
  },
] as const) {
  test(`a move ${fact}`, () => {
    const world = { quotas: [roomOf(free)], nodes: [node, ...others] };
    const blockers = quotaBlockers({ nodes: [node], claims, isWhole }, [letGo('going')], world);
    const wanted = told === undefined ? [] : [`quota "Running instances" (${standard}) ${told}`];
    expect(blockers.map(({ message }) => message)).toEqual(wanted);
  });
}

test('a pool is told to be kept by a quota where not even its smallest node fits, and none is on its way', () => {
  const nodes = [nodeWith('small', 4), nodeWith('large', 32)];
  const full = `quota "Running instances" (${standard}) has 3 of 64 vCPUs free`;
  expect(printFullQuota('NodePool/a', [], { quotas: [roomOf(3)], nodes })).toBe(full);
  expect(printFullQuota('NodePool/a', [], { quotas: [roomOf(4)], nodes })).toBeUndefined();
  expect(printFullQuota('NodePool/a', [letGo('small')], { quotas: [roomOf(3)], nodes })).toBeUndefined();
  expect(printFullQuota('NodePool/b', [], { quotas: [roomOf(3)], nodes })).toBeUndefined();
});
