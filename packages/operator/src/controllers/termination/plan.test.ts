import {
  conditionTrue,
  disruptedTaint,
  fromTimestamp,
  instant,
  kubernetesLabels,
  nodeClaimConditions,
  withCondition,
  type ConditionUpdate,
  type NodeClaim,
  type VolumeAttachment,
} from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { LeavingNode } from './observe.ts';
import { planTermination } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const seconds = (count: number) => instant(now + count * 1_000);

const aClaim: NodeClaim = {
  metadata: {
    name: 'default-abcde',
    creationTimestamp: '2024-01-28T15:00:00Z',
    deletionTimestamp: '2024-01-28T15:59:00Z',
  },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
};

const { deletionTimestamp: _, ...alive } = aClaim.metadata;
const livingClaim: NodeClaim = { ...aClaim, metadata: alive };

const marked = (claim: NodeClaim, ...conditions: readonly ConditionUpdate[]): NodeClaim =>
  conditions.reduce((current, condition) => withCondition(nodeClaimConditions, current, condition, now), claim);

const draining = marked(aClaim, { type: 'Drained', status: 'Unknown', reason: 'Draining' });
const drained = marked(aClaim, conditionTrue('Drained'));
const detached = marked(drained, conditionTrue('VolumesDetached'));

const attachment: VolumeAttachment = {
  metadata: { name: 'csi-1' },
  spec: { nodeName: 'node-1', attacher: 'ebs', source: { persistentVolumeName: 'pv-1' } },
};

const app = aPod('app', { nodeName: 'node-1' });
const tolerant = aPod('tolerant', {
  nodeName: 'node-1',
  tolerations: [{ key: 'karpenter.sh/disrupted', operator: 'Exists' }],
});

/** Tainted and labelled: the first thing that happens to a node that leaves. */
const leaving = (traits: Partial<LeavingNode> = {}): LeavingNode => ({
  node: {
    metadata: {
      name: 'node-1',
      deletionTimestamp: '2024-01-28T15:59:00Z',
      labels: { [kubernetesLabels.excludeFromLoadBalancers]: 'karpenter' },
    },
    spec: { providerID: 'aws:///us-east-1a/i-1', taints: [disruptedTaint] },
  },
  claim: draining,
  pods: [],
  attachments: [],
  volumes: new Map(),
  isInstanceGone: false,
  deadline: undefined,
  ...traits,
});

const untainted = { metadata: { name: 'node-1' }, spec: { providerID: 'aws:///us-east-1a/i-1' } };

function stepsOf(seen: LeavingNode, at = now): readonly string[] {
  const { actions, recheckAt } = planTermination(seen, at);
  const told = actions.map((action) => {
    if (action.kind === 'mark') return `mark ${action.condition.type} ${action.condition.reason}`;
    return action.kind === 'evict'
      ? `evict ${action.pods.map(({ metadata }) => metadata.name).join(' ')}`
      : action.kind;
  });
  return recheckAt === undefined ? told : [...told, `again in ${(recheckAt - at) / 1_000}s`];
}

describe('a node that is deleted', () => {
  for (const { fact, seen, at, steps } of [
    {
      fact: 'is let go at once when its instance is gone',
      seen: leaving({ isInstanceGone: true, pods: [app] }),
      steps: ['release'],
    },
    { fact: 'takes its claim along', seen: leaving({ claim: livingClaim }), steps: ['deleteClaim'] },
    { fact: 'is tainted before anything leaves it', seen: leaving({ node: untainted, pods: [app] }), steps: ['taint'] },
    { fact: 'tells that it drains', seen: leaving({ claim: aClaim, pods: [app] }), steps: ['mark Drained Draining'] },
    {
      fact: 'asks its pods to leave and looks again',
      seen: leaving({ pods: [app] }),
      steps: ['evict app', 'again in 1s'],
    },
    { fact: 'drains for five seconds at least', seen: leaving(), at: seconds(4), steps: ['again in 1s'] },
    {
      fact: 'is drained when no pod is left after that',
      seen: leaving(),
      at: seconds(5),
      steps: ['mark Drained Drained'],
    },
    {
      fact: 'waits for volumes',
      seen: leaving({ claim: drained, attachments: [attachment] }),
      steps: ['mark VolumesDetached AwaitingVolumeDetachment', 'awaitVolumes', 'again in 1s'],
    },
    {
      fact: 'does not wait for the volume of a pod that stays',
      seen: leaving({
        claim: drained,
        attachments: [attachment],
        pods: [tolerant],
        volumes: new Map([[tolerant, ['pv-1']]]),
      }),
      steps: ['mark VolumesDetached VolumesDetached'],
    },
    {
      fact: 'waits for a volume that a staying pod does not use',
      seen: leaving({
        claim: drained,
        attachments: [attachment],
        pods: [tolerant],
        volumes: new Map([[tolerant, ['pv-2']]]),
      }),
      steps: ['mark VolumesDetached AwaitingVolumeDetachment', 'awaitVolumes', 'again in 1s'],
    },
    {
      fact: 'does not wait for volumes beyond the deadline',
      seen: leaving({ claim: drained, attachments: [attachment], deadline: seconds(-1) }),
      steps: ['mark VolumesDetached TerminationGracePeriodElapsed'],
    },
    {
      fact: 'is done with volumes when none is attached',
      seen: leaving({ claim: drained }),
      steps: ['mark VolumesDetached VolumesDetached'],
    },
    { fact: 'ends its instance last', seen: leaving({ claim: detached }), steps: ['terminateInstance'] },
    {
      fact: 'drains without a claim, too',
      seen: leaving({ claim: undefined, pods: [app] }),
      steps: ['evict app', 'again in 1s'],
    },
    { fact: 'without a claim is let go when it is empty', seen: leaving({ claim: undefined }), steps: ['release'] },
  ] satisfies readonly { fact: string; seen: LeavingNode; at?: typeof now; steps: string[] }[]) {
    test(fact, () => {
      expect(stepsOf(seen, at)).toEqual(steps);
    });
  }
});
