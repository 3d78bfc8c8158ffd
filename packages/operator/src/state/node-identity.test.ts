import { instant, type Node, type NodeClaim } from '@nodewright/apis';
import type { Instance } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { findClaimOfNode, findJoiningNode, findNodeOfClaim, findNodeOfInstance } from './node-identity.ts';
import { createObjects } from './objects.ts';

const providerIdFor = (id: string): string => `aws:///us-east-1a/${id}`;

const aClaim = (name: string, { id = 'i-1', nodeName, kind = 'EC2NodeClass' }: ClaimTraits = {}): NodeClaim => ({
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind, name: 'default' }, requirements: [] },
  status: { providerID: providerIdFor(id), ...(nodeName === undefined ? {} : { nodeName }) },
});

type ClaimTraits = { readonly id?: string; readonly nodeName?: string; readonly kind?: string };

/** With every label, annotation and finalizer that a registered node has: none of them counts. */
const aNode = (name: string, id = 'i-1'): Node => ({
  metadata: {
    name,
    uid: name,
    resourceVersion: '1',
    labels: {
      'karpenter.sh/registered': 'true',
      'karpenter.sh/initialized': 'true',
      'karpenter.k8s.aws/ec2nodeclass': 'default',
      'karpenter.sh/nodepool': 'default',
    },
    finalizers: ['karpenter.sh/termination'],
    ownerReferences: [{ apiVersion: 'karpenter.sh/v1', kind: 'NodeClaim', name: 'a', uid: 'a' }],
  },
  spec: { providerID: providerIdFor(id) },
});

function objectsOf(claims: readonly NodeClaim[], nodes: readonly Node[]) {
  const objects = createObjects({} as KubernetesClient);
  for (const claim of claims) objects.nodeClaims.cache.seen(claim);
  for (const node of nodes) objects.nodes.cache.seen(node);
  return objects;
}

describe('who belongs together', () => {
  for (const { fact, claims, nodes, pairs, joining = [] } of [
    {
      fact: 'is a claim and the node that it was registered with',
      claims: [aClaim('a', { nodeName: 'node-1' })],
      nodes: [aNode('node-1')],
      pairs: ['a node-1'],
    },
    {
      fact: 'is no second node with the provider id of the first',
      claims: [aClaim('a', { nodeName: 'node-1' })],
      nodes: [aNode('forged'), aNode('node-1')],
      pairs: ['a node-1'],
    },
    {
      fact: 'is nobody when the claim tells of a node that is of another instance',
      claims: [aClaim('a', { nodeName: 'node-2' })],
      nodes: [aNode('node-1'), aNode('node-2', 'i-2')],
      pairs: [],
    },
    {
      fact: 'is nobody when the claim tells of a node that is not there',
      claims: [aClaim('a', { nodeName: 'node-9' })],
      nodes: [aNode('node-1')],
      pairs: [],
    },
    { fact: 'is no node of an instance without a claim', claims: [], nodes: [aNode('node-1')], pairs: [] },
    {
      fact: 'is not decided before registration; the only node there seems to join',
      claims: [aClaim('a')],
      nodes: [aNode('node-1')],
      pairs: [],
      joining: ['a node-1'],
    },
    {
      fact: 'is not decided before registration; of two nodes neither seems to join',
      claims: [aClaim('a')],
      nodes: [aNode('forged'), aNode('node-1')],
      pairs: [],
    },
    {
      fact: 'is no claim of two that tell of the same node',
      claims: [aClaim('a', { nodeName: 'node-1' }), aClaim('b', { nodeName: 'node-1' })],
      nodes: [aNode('node-1')],
      pairs: [],
    },
    {
      fact: 'is the claim that tells of the node, of two with its instance',
      claims: [aClaim('a', { nodeName: 'node-9' }), aClaim('b', { nodeName: 'node-1' })],
      nodes: [aNode('node-1')],
      pairs: ['b node-1'],
    },
    {
      fact: 'is no claim of another kind of class',
      claims: [aClaim('a', { nodeName: 'node-1', kind: 'OtherNodeClass' })],
      nodes: [aNode('node-1')],
      pairs: [],
    },
  ] satisfies readonly {
    fact: string;
    claims: NodeClaim[];
    nodes: Node[];
    pairs: string[];
    joining?: string[];
  }[]) {
    test(fact, () => {
      const objects = objectsOf(claims, nodes);
      const found = nodes.flatMap((node) => {
        const claim = findClaimOfNode(objects, node);
        return claim === undefined ? [] : [`${claim.metadata.name} ${node.metadata.name}`];
      });
      expect(found).toEqual(pairs);
      for (const pair of pairs) {
        const [name = '', node] = pair.split(' ');
        const claim = objects.nodeClaims.get(name);
        expect(claim && findNodeOfClaim(objects, claim)?.metadata.name).toBe(node);
      }
      const seeming = claims.flatMap((claim) => {
        const node = findJoiningNode(objects, claim);
        return node === undefined ? [] : [`${claim.metadata.name} ${node.metadata.name}`];
      });
      expect(seeming).toEqual(joining);
    });
  }
});

const anInstance = (traits: Partial<Instance> = {}): Instance => ({
  id: 'i-1',
  providerId: providerIdFor('i-1'),
  instanceType: 'm5.large',
  zone: 'us-east-1a',
  capacityType: 'spot',
  imageId: 'ami-1',
  privateDnsName: 'ip-10-0-0-1.ec2.internal',
  state: 'running',
  launchedAt: instant(0),
  tags: {},
  securityGroupIds: [],
  tenancy: 'default',
  ...traits,
});

describe('the node of an instance', () => {
  for (const { fact, nodes, instance, found } of [
    {
      fact: 'has its private DNS name',
      nodes: [aNode('a-forged-one'), aNode('ip-10-0-0-1.ec2.internal')],
      instance: anInstance(),
      found: 'ip-10-0-0-1.ec2.internal',
    },
    { fact: 'or its id', nodes: [aNode('forged'), aNode('i-1')], instance: anInstance(), found: 'i-1' },
    { fact: 'has no other name', nodes: [aNode('forged')], instance: anInstance(), found: undefined },
    {
      fact: 'has its provider id',
      nodes: [aNode('ip-10-0-0-1.ec2.internal', 'i-2')],
      instance: anInstance(),
      found: undefined,
    },
    {
      fact: 'is not known while EC2 has no name for it yet',
      nodes: [aNode('node-1')],
      instance: anInstance({ privateDnsName: '', state: 'pending' }),
      found: undefined,
    },
    {
      fact: 'is the only one there is where EC2 gives no names',
      nodes: [aNode('node-1')],
      instance: anInstance({ privateDnsName: '' }),
      found: 'node-1',
    },
    {
      fact: 'is neither of two where EC2 gives no names',
      nodes: [aNode('node-1'), aNode('node-2')],
      instance: anInstance({ privateDnsName: '' }),
      found: undefined,
    },
  ]) {
    test(fact, () => {
      expect(findNodeOfInstance(nodes, instance)?.metadata.name).toBe(found);
    });
  }
});
