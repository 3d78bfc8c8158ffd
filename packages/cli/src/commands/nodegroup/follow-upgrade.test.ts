import type { NodeGroup } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { endOfUpgrade } from './follow-upgrade.ts';
import { standingChanges } from './standing-changes.ts';

type Status = NonNullable<NodeGroup['status']>;

const aGroup = (status: Status): NodeGroup => ({
  metadata: { name: 'default', annotations: { 'nodewright.dev/upgrade-request': 'now' } },
  spec: { eks: { name: 'default' } },
  status,
});
const ended = (number: number): NonNullable<Status['history']> => [
  { number, target: 'x', outcome: 'Failed', startedAt: '2024-01-28T16:00:00Z', endedAt: '2024-01-28T17:00:00Z' },
];
const seen = { observedRequest: 'now' };
const served = { ...seen, servedRequest: 'now' };

for (const { fact, status, end } of [
  { fact: 'goes on while no controller has seen the request', status: { phase: 'UpToDate' as const } },
  { fact: 'goes on while nodes are replaced', status: { phase: 'Updating' as const, ...served } },
  { fact: 'goes on while an older failure is all that is known', status: { phase: 'Failed' as const, ...seen } },
  {
    fact: 'ends well when every node is on the target',
    status: { phase: 'UpToDate' as const, ...served },
    end: 'done',
  },
  { fact: 'ends when something blocks', status: { phase: 'Blocked' as const, ...seen }, end: 'blocked' },
  { fact: 'ends when no image may be had', status: { phase: 'Pending' as const, ...seen }, end: 'blocked' },
  {
    fact: 'scenario 23: ends as failed although the group is active again',
    status: { phase: 'Failed' as const, ...served, history: ended(2) },
    end: 'failed',
  },
]) {
  test(`waiting for an upgrade ${fact}`, () => {
    expect(endOfUpgrade(aGroup(status), aGroup({ history: ended(1) }))?.kind).toBe(end);
  });
}

test('what became of nodes is told once, by name', () => {
  const node = (name: string, standing: 'old' | 'cordoned' | 'new') => ({ name, standing, image: 'ami-1', zone: 'a' });
  const before = [node('b', 'old'), node('c', 'cordoned'), node('d', 'old')];
  const after = [node('a', 'new'), node('b', 'cordoned'), node('d', 'old')];
  expect(standingChanges([], before)).toEqual([]);
  expect(standingChanges(before, after)).toEqual(['  a   ready on ami-1', '  b   cordoned', '  c   gone']);
});
