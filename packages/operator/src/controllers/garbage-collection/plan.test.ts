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
import { planGarbage } from './plan.ts';

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

describe('garbage collection', () => {
  for (const { fact, claims = [], nodes = [], instances = [], acts } of [
    {
      fact: 'leaves a claim and its instance alone',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1')],
      acts: [],
    },
    { fact: 'deletes a claim whose instance is gone', claims: [aClaim('a', 'i-1')], acts: ['deleteClaim a'] },
    {
      fact: 'deletes a claim whose instance is ending',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1', { state: 'shutting-down' })],
      acts: ['deleteClaim a'],
    },
    {
      fact: 'believes a ready node more than the listing',
      claims: [aClaim('a', 'i-1')],
      nodes: [aReadyNode('i-1')],
      acts: [],
    },
    { fact: 'leaves unregistered claims to their timeouts', claims: [aClaim('a', 'i-1', 'launched')], acts: [] },
    { fact: 'ends an instance that no claim knows', instances: [anInstance('i-9')], acts: ['terminate i-9'] },
    {
      fact: 'gives a fresh instance time to be written down',
      instances: [anInstance('i-9', { launchedAt: instant(now - 29_000) })],
      acts: [],
    },
    {
      fact: 'knows an instance by its tag while its claim is being launched',
      claims: [aClaim('a', undefined, 'launched')],
      instances: [anInstance('i-9', { tags: { 'karpenter.sh/nodeclaim': 'a' } })],
      acts: [],
    },
    {
      fact: 'ends a second instance of a claim that has one',
      claims: [aClaim('a', 'i-1')],
      instances: [anInstance('i-1'), anInstance('i-9', { tags: { 'karpenter.sh/nodeclaim': 'a' } })],
      acts: ['terminate i-9'],
    },
  ] satisfies readonly {
    fact: string;
    claims?: NodeClaim[];
    nodes?: Node[];
    instances?: Instance[];
    acts: string[];
  }[]) {
    test(fact, () => {
      const actions = planGarbage({ claims, nodes, instances }, now);
      const told = actions.map((action) =>
        action.kind === 'deleteClaim' ? `deleteClaim ${action.claim.metadata.name}` : `terminate ${action.instance.id}`,
      );
      expect(told).toEqual(acts);
    });
  }
});
