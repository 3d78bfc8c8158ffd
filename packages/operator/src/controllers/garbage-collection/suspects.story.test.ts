import {
  conditionTrue,
  fromTimestamp,
  instant,
  nodeClaimConditions,
  withCondition,
  type Node,
  type NodeClaim,
} from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import { describe, expect, test } from 'vitest';
import { claimsWithoutInstance, instancesWithoutClaim } from './suspects.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const aClaim = (name: string, id?: string, stage: 'launched' | 'registered' = 'registered'): NodeClaim => {
  const claim: NodeClaim = {
    metadata: { name, creationTimestamp: '2024-01-28T15:00:00Z' },
    spec: { nodeClassRef, requirements: [] },
    status: id === undefined ? {} : { providerID: `aws:///us-east-1a/${id}` },
  };
  return stage === 'launched' ? claim : withCondition(nodeClaimConditions, claim, conditionTrue('Registered'), now);
};

const aForeignClaim: NodeClaim = {
  ...aClaim('a', 'i-1'),
  spec: { nodeClassRef: { ...nodeClassRef, kind: 'OtherNodeClass' }, requirements: [] },
};

const anInstance = (id: string, traits: Partial<Instance> = {}): Instance => ({
  id,
  providerId: `aws:///us-east-1a/${id}`,
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  capacityType: 'spot',
  imageId: 'ami-1',
  privateDnsName: `${id}.internal`,
  state: 'running',
  launchedAt: instant(now - 60_000),
  tags: {},
  tenancy: 'default',
  securityGroupIds: [],
  ...traits,
});

const aReadyNode = (id: string): Node => ({
  metadata: { name: `node-${id}` },
  spec: { providerID: `aws:///us-east-1a/${id}` },
  status: { conditions: [{ type: 'Ready', status: 'True' }] },
});

describe('one listing', () => {
  for (const { fact, claims = [], nodes = [], instances = [], suspects } of [
    {
      fact: 'suspects nothing of a claim and its instance',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1')],
      suspects: [],
    },
    { fact: 'suspects a claim whose instance it lacks', claims: [aClaim('a', 'i-1')], suspects: ['claim a'] },
    {
      fact: 'suspects a claim whose instance is ending',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1', { state: 'shutting-down' })],
      suspects: ['claim a'],
    },
    {
      fact: 'counts less than a ready node',
      claims: [aClaim('a', 'i-1')],
      nodes: [aReadyNode('i-1')],
      suspects: [],
    },
    {
      fact: 'says nothing of a claim of another kind of class',
      claims: [aForeignClaim],
      suspects: [],
    },
    { fact: 'leaves unregistered claims to their timeouts', claims: [aClaim('a', 'i-1', 'launched')], suspects: [] },
    { fact: 'suspects an instance that no claim has', instances: [anInstance('i-9')], suspects: ['instance i-9'] },
    {
      fact: 'gives a fresh instance time to be written down',
      instances: [anInstance('i-9', { launchedAt: instant(now - 29_000) })],
      suspects: [],
    },
    {
      fact: 'knows an instance by its tag while its claim is being launched',
      claims: [aClaim('a', undefined, 'launched')],
      instances: [anInstance('i-9', { tags: { 'karpenter.sh/nodeclaim': 'a' } })],
      suspects: [],
    },
    {
      fact: 'suspects a second instance of a claim that has one',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1'), anInstance('i-9', { tags: { 'karpenter.sh/nodeclaim': 'a' } })],
      suspects: ['instance i-9'],
    },
  ] satisfies readonly {
    fact: string;
    claims?: NodeClaim[];
    nodes?: Node[];
    instances?: Instance[];
    suspects: string[];
  }[]) {
    test(fact, () => {
      const nodeOf = ({ status }: NodeClaim) => nodes.find(({ spec }) => spec?.providerID === status?.providerID);
      const found = [
        ...claimsWithoutInstance({ claims, instances }, nodeOf).map(({ metadata }) => `claim ${metadata.name}`),
        ...instancesWithoutClaim({ claims, instances }, now).map(({ id }) => `instance ${id}`),
      ];
      expect(found).toEqual(suspects);
    });
  }
});
