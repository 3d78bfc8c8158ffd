import type { NodeClaim } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { isToBeTagged, planTags, withTaggedAnnotation } from './plan.ts';

const aTaggable = (traits: Partial<NodeClaim> = {}): NodeClaim => ({
  metadata: { name: 'default-1' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status: { providerID: 'aws:///us-east-1a/i-1', nodeName: 'ip-10-0-0-1' },
  ...traits,
});
const cluster = { 'eks:eks-cluster-name': 'c' };
const all = { Name: 'ip-10-0-0-1', 'karpenter.sh/nodeclaim': 'default-1' };

for (const { fact, present, told } of [
  { fact: 'without tags gets all of them', present: {}, told: all },
  {
    fact: 'with a name of its own keeps it',
    present: { ...cluster, Name: 'mine' },
    told: { 'karpenter.sh/nodeclaim': 'default-1' },
  },
  { fact: 'of an earlier version gets the tag of the cluster alone', present: all, told: {} },
  { fact: 'with every tag is left alone', present: { ...all, ...cluster }, told: undefined },
] as readonly { fact: string; present: Readonly<Record<string, string>>; told: unknown }[])
  test(`an instance ${fact}`, () => expect(planTags(aTaggable(), { tags: present })).toEqual(told));

for (const { fact, claim, is } of [
  { fact: 'with an instance and a node is told', claim: aTaggable(), is: true },
  { fact: 'that was told is not told again', claim: withTaggedAnnotation(aTaggable()), is: false },
  { fact: 'without a node waits', claim: aTaggable({ status: { providerID: 'aws:///us-east-1a/i-1' } }), is: false },
  { fact: 'without an instance waits', claim: aTaggable({ status: { nodeName: 'ip-10-0-0-1' } }), is: false },
  {
    fact: 'that is leaving is not told any more',
    claim: aTaggable({ metadata: { name: 'default-1', deletionTimestamp: '2026-06-01T00:00:00Z' } }),
    is: false,
  },
])
  test(`a claim ${fact}`, () => expect(isToBeTagged(claim)).toBe(is));
