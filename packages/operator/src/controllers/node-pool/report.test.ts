import { fromTimestamp, type Condition, type EC2NodeClass, type NodePool } from '@nodewright/apis';
import { aNodeClass, aNodePool } from '@nodewright/testkit';
import { printEntries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { reportUnresolvedClass } from './report.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const unready = (lastTransitionTime: string): readonly Condition[] => [
  { type: 'NodeClassReady', status: 'False', lastTransitionTime },
];
const aPoolSince = (since: string, traits: Partial<NodePool['metadata']> = {}): NodePool => {
  const pool = aNodePool();
  return { ...pool, metadata: { ...pool.metadata, ...traits }, status: { conditions: unready(since) } };
};
const ready = aNodeClass();
const going: EC2NodeClass = { ...ready, metadata: { ...ready.metadata, deletionTimestamp: '2024-01-28T15:00:00Z' } };
const told = ['Warning  NodePool/default: Failed resolving NodeClass default (unresolved, uid-default)'];

test.each<readonly [string, NodePool, EC2NodeClass | undefined, readonly string[]]>([
  ['that is missing for a minute is told', aPoolSince('2024-01-28T15:59:00Z'), undefined, told],
  ['that is missing for less is not', aPoolSince('2024-01-28T15:59:01Z'), undefined, []],
  ['that is going is told', aPoolSince('2024-01-28T15:00:00Z'), going, told],
  ['that is there is not, whatever its condition', aPoolSince('2024-01-28T15:00:00Z'), ready, []],
  [
    'that is missing does not matter to a pool that is going',
    aPoolSince('2024-01-28T15:00:00Z', { deletionTimestamp: '2024-01-28T15:30:00Z' }),
    undefined,
    [],
  ],
  ['that is missing before the pool has a condition is not told yet', aNodePool(), undefined, []],
])('a class %s', (_, nodePool, nodeClass, lines) => {
  const seen = { nodePool, nodeClass, claims: [], used: {} };
  expect(printEntries(reportUnresolvedClass(seen, now))).toEqual(lines);
});
