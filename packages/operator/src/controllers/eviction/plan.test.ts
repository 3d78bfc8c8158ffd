import {
  conditionTrue,
  fromTimestamp,
  instant,
  nodeClaimConditions,
  withCondition,
  type NodeClaim,
} from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { drainReason, planEviction } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const inSeconds = (seconds: number) => instant(now + seconds * 1_000);
const app = aPod('app', { nodeName: 'node-1' });
const held = aPod('held', { nodeName: 'node-1', annotations: { 'karpenter.sh/do-not-disrupt': 'true' } });

describe('a pod that has to leave', () => {
  for (const { fact, pod = app, deadline, isGranted = false, does } of [
    { fact: 'is evicted', does: 'evict' },
    { fact: 'is evicted while the deadline is far', deadline: inSeconds(31), does: 'evict' },
    { fact: 'is forced when its grace period would outlast the deadline', deadline: inSeconds(20), does: 'force 20' },
    { fact: 'keeps a second of grace beyond the deadline', deadline: inSeconds(-5), does: 'force 1' },
    {
      fact: 'is left alone once it is ending',
      pod: aPod('app', { nodeName: 'node-1', deleting: true }),
      does: 'forget',
    },
    { fact: 'is left alone once its eviction was granted', isGranted: true, does: 'forget' },
    {
      fact: 'is forced although its eviction was granted',
      isGranted: true,
      deadline: inSeconds(20),
      does: 'force 20',
    },
    { fact: 'waits while it is protected', pod: held, does: 'wait' },
    { fact: 'is forced although it is protected', pod: held, deadline: inSeconds(10), does: 'force 10' },
    {
      fact: 'waits with its node when it tolerates that',
      pod: aPod('app', { nodeName: 'node-1', tolerations: [{ operator: 'Exists' }] }),
      does: 'wait',
    },
  ]) {
    test(fact, () => {
      const action = planEviction({ pod, node: undefined, claim: undefined, deadline, isGranted }, now);
      expect(action.kind === 'force' ? `force ${action.graceSeconds}` : action.kind).toBe(does);
    });
  }
});

test('a plan says why', () => {
  const toleratesAll = aPod('app', { nodeName: 'node-1', tolerations: [{ operator: 'Exists' }] });
  const because = (pod: typeof app, more: { isGranted?: boolean; deadline?: ReturnType<typeof inSeconds> } = {}) =>
    planEviction({ pod, node: undefined, claim: undefined, deadline: undefined, isGranted: false, ...more }, now)
      .because;
  expect([
    because(app),
    because(app, { deadline: inSeconds(5) }),
    because(app, { isGranted: true }),
    because(aPod('app', { nodeName: 'node-1', deleting: true })),
    because(held),
    because(toleratesAll),
  ]).toEqual([
    'its node is leaving',
    'its grace period would outlast the termination deadline of the node',
    'its eviction was granted a moment ago',
    'it is on its way out',
    'its annotation karpenter.sh/do-not-disrupt holds',
    'it stays with its node',
  ]);
});

test('the reason of a drain is that of the disruption, or force', () => {
  const claim: NodeClaim = {
    metadata: { name: 'a', creationTimestamp: '2024-01-28T15:00:00Z' },
    spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  };
  const chosen = conditionTrue('DisruptionReason', 'Drifted', 'Drifted');
  expect(drainReason(withCondition(nodeClaimConditions, claim, chosen, now))).toBe('Drifted');
  expect(drainReason(claim)).toBe('Forceful Termination');
  const { conditions = [] } = withCondition(nodeClaimConditions, claim, chosen, now).status ?? {};
  const taken = conditions.map((each) => ({ ...each, status: 'False' as const }));
  expect(drainReason({ ...claim, status: { conditions: taken } })).toBe('Forceful Termination');
  const other = [{ ...chosen, type: 'Initialized', lastTransitionTime: '2024-01-28T15:00:00Z' }, ...conditions];
  expect(drainReason({ ...claim, status: { conditions: other } as NodeClaim['status'] & object })).toBe('Drifted');
  expect(drainReason(undefined)).toBe('');
});
