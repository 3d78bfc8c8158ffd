import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { awsLabels, fromTimestamp, type EC2NodeClass, type NodeClaim, type NodePool } from '@nodewright/apis';
import { anInstanceType, aNodeClass, aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { requireOneOf } from '@nodewright/requirements';
import type { InstanceType } from '../instance-types/instance-type.ts';
import { driftReason, driftReasons, type DriftSnapshot } from './drift-reason.ts';
import { hashVersion } from './static-hash.ts';

const now = fromTimestamp('2024-01-02T00:00:00Z');
const poolHash = (hash: string, version = hashVersion) => ({
  'karpenter.sh/nodepool-hash': hash,
  'karpenter.sh/nodepool-hash-version': version,
});
const classHash = (hash: string) => ({
  'karpenter.k8s.aws/ec2nodeclass-hash': hash,
  'karpenter.k8s.aws/ec2nodeclass-hash-version': hashVersion,
});

const claim = (
  metadata: Partial<NodeClaim['metadata']> = {},
  status: NodeClaim['status'] = { imageID: 'ami-1' },
): NodeClaim => ({
  metadata: {
    name: 'default-abcde',
    creationTimestamp: '2024-01-01T00:00:00Z',
    labels: {
      'node.kubernetes.io/instance-type': 'c4',
      'topology.kubernetes.io/zone': 'zone-a',
      'karpenter.sh/capacity-type': 'on-demand',
      team: 'blue',
    },
    annotations: { ...poolHash('1'), ...classHash('1') },
    ...metadata,
  },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' }, requirements: [] },
  status,
});

const status = {
  amis: [{ id: 'ami-1', requirements: [] }],
  subnets: [{ id: 'subnet-1', zone: 'zone-a' }],
  securityGroups: [{ id: 'sg-1' }],
};

const reservation = (id: string) => ({
  id,
  availabilityZone: 'zone-a',
  instanceType: 'c4',
  instanceMatchCriteria: 'targeted' as const,
  ownerID: '111122223333',
});

const ofGroup = { 'node.kubernetes.io/instance-type': 'c4', [awsLabels.placementGroupId]: 'pg-1' };

function inGroup(id: string): InstanceType {
  const type = anInstanceType('c4');
  const group = requireOneOf(awsLabels.placementGroupId, [id]);
  return { ...type, requirements: new Map([...type.requirements, [group.key, group]]) };
}

const ofReservation = {
  'karpenter.sh/capacity-type': 'reserved',
  'karpenter.k8s.aws/capacity-reservation-id': 'cr-1',
};

const reserved: DriftSnapshot['instance'] = {
  subnetId: 'subnet-1',
  securityGroupIds: ['sg-1'],
  capacityType: 'reserved',
  reservationId: 'cr-1',
};

const annotated = <T extends { readonly metadata: object }>(
  object: T,
  annotations: Readonly<Record<string, string>>,
): T => ({
  ...object,
  metadata: { ...object.metadata, annotations },
});

const snapshot = (more: Partial<DriftSnapshot> = {}): DriftSnapshot => ({
  claim: claim(),
  nodePool: annotated(aNodePool(), poolHash('1')),
  nodeClass: annotated(aNodeClass({}, status), classHash('1')),
  instanceTypes: [anInstanceType('c4')],
  instance: { subnetId: 'subnet-1', securityGroupIds: ['sg-1'], capacityType: 'on-demand' },
  now,
  ...more,
});

test('a node that is as asked for has not drifted', () => {
  expect(driftReason(snapshot())).toBeUndefined();
});

const classWith = (more: NonNullable<EC2NodeClass['status']>, hash = '1') =>
  annotated(aNodeClass({}, more), classHash(hash));

for (const { fact, seen, reason } of [
  {
    fact: 'another template hash',
    seen: { nodePool: annotated(aNodePool(), poolHash('2')) },
    reason: 'NodePoolDrifted',
  },
  {
    fact: 'a hash of another version',
    seen: { nodePool: annotated(aNodePool(), poolHash('2', 'v3')) },
    reason: undefined,
  },
  { fact: 'a pool without a hash', seen: { nodePool: aNodePool() }, reason: undefined },
  { fact: 'a claim without a hash', seen: { claim: claim({ annotations: {} }) }, reason: undefined },
  { fact: 'a NodeClass of another hash', seen: { nodeClass: classWith(status, '2') }, reason: 'NodeClassDrift' },
  {
    fact: 'another selected image',
    seen: { nodeClass: classWith({ ...status, amis: [{ id: 'ami-2', requirements: [] }] }) },
    reason: 'AMIDrift',
  },
  { fact: 'no selected image at all', seen: { nodeClass: classWith({ ...status, amis: [] }) }, reason: undefined },
  { fact: 'a claim that does not know its image', seen: { claim: claim({}, {}) }, reason: undefined },
  {
    fact: 'a type that no image is for any more',
    seen: {
      nodeClass: classWith({
        ...status,
        amis: [{ id: 'ami-1', requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] }],
      } as never),
    },
    reason: 'AMIDrift',
  },
  {
    fact: 'a type whose images are all too young',
    seen: {
      withheld: [[{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }]],
      nodeClass: classWith({
        ...status,
        amis: [{ id: 'ami-1', requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: ['arm64'] }] }],
      } as never),
    },
    reason: undefined,
  },
  {
    fact: 'a security group more',
    seen: { instance: { subnetId: 'subnet-1', securityGroupIds: ['sg-1', 'sg-2'], capacityType: 'on-demand' } },
    reason: 'SecurityGroupDrift',
  },
  {
    fact: 'no resolved security groups',
    seen: { nodeClass: classWith({ ...status, securityGroups: [] }) },
    reason: undefined,
  },
  {
    fact: 'another placement group',
    seen: {
      claim: claim({ labels: ofGroup }),
      instanceTypes: [inGroup('pg-2')],
    },
    reason: 'PlacementGroupDrift',
  },
  {
    fact: 'its placement group',
    seen: {
      claim: claim({ labels: ofGroup }),
      instanceTypes: [inGroup('pg-1')],
    },
    reason: undefined,
  },
  {
    fact: 'a placement group that nobody asks for any more',
    seen: {
      claim: claim({ labels: ofGroup }),
    },
    reason: 'PlacementGroupDrift',
  },
  {
    fact: 'a placement group that is not found now',
    seen: {
      claim: claim({ labels: ofGroup }),
      nodeClass: annotated(aNodeClass({ placementGroupSelector: { name: 'racks' } }, status), classHash('1')),
    },
    reason: undefined,
  },
  {
    fact: 'another subnet',
    seen: { instance: { subnetId: 'subnet-9', securityGroupIds: ['sg-1'], capacityType: 'on-demand' } },
    reason: 'SubnetDrift',
  },
  {
    fact: 'a reservation that the class no longer selects',
    seen: { nodeClass: classWith({ ...status, capacityReservations: [reservation('cr-2')] }), instance: reserved },
    reason: 'CapacityReservationDrift',
  },
  {
    fact: 'a reservation that the class selects',
    seen: { nodeClass: classWith({ ...status, capacityReservations: [reservation('cr-1')] }), instance: reserved },
    reason: undefined,
  },
  {
    fact: 'a reservation that ended, which leaves the instance on-demand',
    seen: { nodeClass: classWith(status), claim: claim({ labels: { ...claim().metadata.labels, ...ofReservation } }) },
    reason: undefined,
  },
  { fact: 'no instance to look at', seen: { instance: undefined }, reason: undefined },
  { fact: 'a type that is gone', seen: { instanceTypes: [] }, reason: 'InstanceTypeNotFound' },
  {
    fact: 'a type that is gone, but a claim of less than an hour',
    seen: { instanceTypes: [], claim: claim({ creationTimestamp: '2024-01-01T23:30:00Z' }) },
    reason: undefined,
  },
  {
    fact: 'a type that is not sold there any more',
    seen: { instanceTypes: [anInstanceType('c4', { offerings: [['zone-b', 'on-demand', 1]] })] },
    reason: 'InstanceTypeNotFound',
  },
  {
    fact: 'a type that is sold out for now',
    seen: { instanceTypes: [anInstanceType('c4', { offerings: [['zone-a', 'on-demand', 1, 'soldOut']] })] },
    reason: undefined,
  },
  {
    fact: 'both pool and class',
    seen: { nodePool: annotated(aNodePool(), poolHash('2')), nodeClass: classWith(status, '2') },
    reason: 'NodePoolDrifted',
  },
] as readonly { fact: string; seen: Partial<DriftSnapshot>; reason: string | undefined }[]) {
  test(`${fact}: ${reason ?? 'no drift'}`, () => {
    expect(driftReason(snapshot(seen))).toBe(reason);
  });
}

describe('requirements of the pool', () => {
  type Written = NodePool['spec']['template']['spec']['requirements'][number];
  for (const { fact, requirement, drifted } of [
    {
      fact: 'a value list without the claim’s value',
      requirement: { key: 'team', operator: 'In', values: ['red'] },
      drifted: true,
    },
    {
      fact: 'a wider value list',
      requirement: { key: 'team', operator: 'In', values: ['red', 'blue'] },
      drifted: false,
    },
    {
      fact: 'a key the claim has no label for',
      requirement: { key: 'cost-centre', operator: 'In', values: ['1'] },
      drifted: true,
    },
    { fact: 'a key that has to exist and does', requirement: { key: 'team', operator: 'Exists' }, drifted: false },
    {
      fact: 'a key that must not exist and does',
      requirement: { key: 'team', operator: 'DoesNotExist' },
      drifted: true,
    },
    {
      fact: 'an exclusion of an absent key',
      requirement: { key: 'cost-centre', operator: 'NotIn', values: ['1'] },
      drifted: false,
    },
    {
      fact: 'a capacity type that changed',
      requirement: { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
      drifted: true,
    },
  ] as readonly { fact: string; requirement: Written; drifted: boolean }[]) {
    test(`${fact} ${drifted ? 'is drift' : 'is no drift'}`, () => {
      const nodePool = aNodePool('default', { requirements: [requirement] });
      expect(driftReason(snapshot({ nodePool }))).toBe(drifted ? 'RequirementsDrifted' : undefined);
    });
  }
});

test('docs/disruption.md tells of every reason, in their order', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/disruption.md'), 'utf8');
  const section = page.split('## Why a node has drifted')[1]?.split('\n## ')[0] ?? '';
  expect([...section.matchAll(/^- `(\w+)`:/gm)].map(([, reason]) => reason)).toEqual(driftReasons);
});
