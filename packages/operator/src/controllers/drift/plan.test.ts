import {
  conditionOf,
  conditionTrue,
  fromTimestamp,
  nodeClaimConditions,
  withCondition,
  type NodeClaim,
} from '@nodewright/apis';
import { aNodeClass, aNodePool, anInstanceType } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { planDrift, type ClaimDriftSnapshot } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const later = fromTimestamp('2024-01-28T16:30:00Z');
const requirements = [{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }] as const;
const status = { amis: [{ id: 'ami-new', requirements }] };

const withConditions = (claim: NodeClaim, ...types: readonly (readonly [type: string, reason: string])[]): NodeClaim =>
  types.reduce(
    (current, [type, reason]) => withCondition(nodeClaimConditions, current, conditionTrue(type, reason, reason), now),
    claim,
  );

const aClaim = (imageID: string): NodeClaim => ({
  metadata: {
    name: 'default-abcde',
    creationTimestamp: '2024-01-28T15:30:00Z',
    labels: { 'node.kubernetes.io/instance-type': 'm5.large' },
  },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { imageID },
});

const launched = ['Launched', 'Launched'] as const;
const seen = (claim: NodeClaim, traits: Partial<ClaimDriftSnapshot> = {}): ClaimDriftSnapshot => ({
  claim,
  nodePool: aNodePool(),
  nodeClass: aNodeClass({}, status),
  instanceTypes: [anInstanceType('m5.large')],
  instance: undefined,
  withheld: [],
  ...traits,
});

const driftedOf = (snapshot: ClaimDriftSnapshot) => conditionOf(planDrift(snapshot, later).after, 'Drifted');

describe('a claim', () => {
  test('on the selected image has not drifted, and stays the very same object', () => {
    const claim = withConditions(aClaim('ami-new'), launched);
    expect(planDrift(seen(claim), later).after).toBe(claim);
  });

  test('on another image has drifted, with the reason twice', () => {
    const drifted = driftedOf(seen(withConditions(aClaim('ami-old'), launched)));
    expect(drifted).toMatchObject({ status: 'True', reason: 'AMIDrift', message: 'AMIDrift' });
  });

  test('that has drifted for another reason keeps the time since when', () => {
    const claim = withConditions(aClaim('ami-old'), launched, ['Drifted', 'NodePoolDrifted']);
    expect(driftedOf(seen(claim))).toMatchObject({ reason: 'AMIDrift', lastTransitionTime: '2024-01-28T16:00:00Z' });
  });

  test('that is as it should be again loses the condition', () => {
    const claim = withConditions(aClaim('ami-new'), launched, ['Drifted', 'AMIDrift']);
    expect(driftedOf(seen(claim))).toBeUndefined();
  });

  test('that is not launched has nothing to drift from', () => {
    expect(driftedOf(seen(withConditions(aClaim('ami-old'), ['Drifted', 'AMIDrift'])))).toBeUndefined();
  });

  test('whose image is missing only because every one is too young has not drifted', () => {
    const gpu = [{ key: 'karpenter.k8s.aws/instance-gpu-count', operator: 'Exists' }] as const;
    const nodeClass = aNodeClass({}, { amis: [{ id: 'ami-gpu', requirements: gpu }] });
    const claim = withConditions(aClaim('ami-old'), launched);
    expect(driftedOf(seen(claim, { nodeClass, withheld: [requirements] }))).toBeUndefined();
    expect(driftedOf(seen(claim, { nodeClass }))).toMatchObject({ reason: 'AMIDrift' });
  });
});
