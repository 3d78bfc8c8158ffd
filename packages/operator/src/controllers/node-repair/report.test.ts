import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import { reportRepairHold, reportUnhealthyNode } from './report.ts';

const node = { metadata: { name: 'sick' } };

test('a node that is not repaired because too many are sick is told so every quarter of an hour', () => {
  const hold = { kind: 'hold', unhealthy: 3, tolerated: 2, among: 'NodePool default' } as const;
  expect(printEntries(reportRepairHold(node, hold))).toEqual([
    'Warning NodeRepairBlocked Node/sick: more than 20% nodes are unhealthy in the nodepool: 3 nodes of NodePool default are unhealthy, and more than 2 mean that new nodes would be no better (sick) every 900 s',
  ]);
});

test('the claim of a sick node is counted as disrupted, and by the condition of its node', () => {
  const claim = { ...aClaim('one'), status: { providerID: 'aws:///us-east-1a/i-1' } };
  expect(printEntries(reportUnhealthyNode(node, claim, 'Ready'))).toEqual([
    'info deleting unhealthy node {"NodeClaim":{"name":"one"},"provider-id":"aws:///us-east-1a/i-1","Node":{"name":"sick"},"condition":"Ready"}',
    'claimDisrupted one, "unhealthy"',
    'claimUnhealthy one, "Ready"',
  ]);
});
