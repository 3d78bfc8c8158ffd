import type { NodeRolloutPolicyStatus } from '@nodewright/apis';
import { aClusterReading } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { listAttention } from '../attention/list-attention.ts';
import { describePolicy } from '../rows/policy-words.ts';
import { emptyDashboard } from '../rows/dashboard-changes.ts';
import { viewPolicies } from './policies.ts';

const since = '2024-03-01T10:00:00Z';

function viewPolicyWith(status: NodeRolloutPolicyStatus) {
  const policies = [{ metadata: { name: 'production' }, spec: {}, status }];
  return viewPolicies(aClusterReading({ rolloutObjects: { policies } }));
}

test('a policy that waits for another cluster says so, although it leads no rollout', () => {
  const message = 'v2 (EC2NodeClass/default, AL2023/amd64/none): notProvenUpstream: staging has not proven it';
  const policies = viewPolicyWith({
    governed: { nodePools: 1, nodeGroups: 0, nodes: 3 },
    conditions: [
      { type: 'Ready', status: 'True', reason: 'Governing', message: '', lastTransitionTime: since },
      { type: 'WaitingUpstream', status: 'True', reason: 'NotProvenUpstream', message, lastTransitionTime: since },
    ],
  });
  expect(policies.map(describePolicy)).toEqual(['governs 1 NodePool with 3 nodes, and leads no rollout']);
  expect(policies[0]?.notes).toEqual([{ kind: 'WaitingUpstream', urgency: 'goesOn', message, since }]);
  expect(listAttention({ ...emptyDashboard, policies })).toMatchObject([
    { what: 'NodeRolloutPolicy production waits for another cluster', why: message, urgency: 'goesOn' },
  ]);
});

test('a calendar that cannot be read, and an image that failed before, are told', () => {
  const [row] = viewPolicyWith({
    rollout: 'production-2',
    governed: { nodePools: 2, nodeGroups: 1, nodes: 1 },
    conditions: [
      { type: 'Ready', status: 'False', reason: 'UnreadableCalendar', message: 'bad zone', lastTransitionTime: since },
      { type: 'Stalled', status: 'True', reason: 'UnreadableCalendar', message: 'bad zone', lastTransitionTime: since },
    ],
    heldImages: [
      {
        source: 'EC2NodeClass/default',
        variant: 'AL2/amd64/none',
        image: 'ami-1',
        reason: 'failedBefore',
        because: 'production-1 was halted with it',
      },
    ],
  });
  expect(row?.notes.map(({ kind, message }) => `${kind}: ${message}`)).toEqual([
    'NotReady: bad zone',
    'FailedBefore: ami-1 (EC2NodeClass/default, AL2/amd64/none): production-1 was halted with it',
  ]);
  expect(row && describePolicy(row)).toBe('governs 2 NodePools and 1 NodeGroup with 1 node, and leads production-2');
});

test('a policy that has not been looked at yet says so', () => {
  expect(viewPolicyWith({}).map(describePolicy)).toEqual(['has not been looked at yet']);
});
