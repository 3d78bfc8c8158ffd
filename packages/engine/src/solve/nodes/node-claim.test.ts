import { aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { hashVersion, nodePoolHash } from '../../drift/static-hash.ts';
import { claimFor } from './node-claim.ts';
import { schedulePods } from '../round/schedule.ts';

const pool = aNodePool('default', {
  labels: { team: 'my-team' },
  annotations: { note: 'x' },
  requirements: [
    { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
    { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
    { key: 'rack', operator: 'In', values: ['b', 'a'] },
  ],
  taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
  expireAfter: '720h',
});
const types = [
  anInstanceType('c2', { cpu: 2 }),
  anInstanceType('c4', {
    cpu: 4,
    offerings: [
      ['zone-a', 'on-demand', 1],
      ['zone-a', 'spot', 1, 'soldOut'],
    ],
  }),
];
const daemon = aPod('agent', {
  requests: { cpu: '100m' },
  ownerKind: 'DaemonSet',
  tolerations: [{ operator: 'Exists' }],
});

const claimOf = (cpu: string) => {
  const pod = aPod('p', {
    requests: { cpu, memory: '128Mi' },
    nodeSelector: { 'topology.kubernetes.io/zone': 'zone-a' },
    tolerations: [{ operator: 'Exists' }],
  });
  const { newNodes } = schedulePods({
    nodePools: [{ nodePool: pool, instanceTypes: types }],
    nodes: [],
    pods: [pod],
    daemonPods: [daemon],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });
  const [node] = newNodes;
  if (node === undefined) throw new Error('the pod found no place');
  return claimFor(node);
};

test('a claim carries what the node will be', () => {
  expect(claimOf('1')).toEqual({
    apiVersion: 'karpenter.sh/v1',
    kind: 'NodeClaim',
    metadata: {
      name: '',
      generateName: 'default-',
      labels: {
        team: 'my-team',
        rack: 'a',
        'karpenter.sh/nodepool': 'default',
        'karpenter.k8s.aws/ec2nodeclass': 'default',
      },
      annotations: {
        note: 'x',
        'karpenter.sh/nodepool-hash': nodePoolHash(pool),
        'karpenter.sh/nodepool-hash-version': hashVersion,
        'karpenter.sh/nodeclaim-min-values-relaxed': 'false',
      },
      ownerReferences: [
        {
          apiVersion: 'karpenter.sh/v1',
          kind: 'NodePool',
          name: 'default',
          uid: 'uid-default',
          blockOwnerDeletion: true,
        },
      ],
    },
    spec: {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
      requirements: [
        { key: 'karpenter.k8s.aws/ec2nodeclass', operator: 'In', values: ['default'] },
        { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand', 'spot'] },
        { key: 'karpenter.sh/nodepool', operator: 'In', values: ['default'] },
        { key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] },
        { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['c2', 'c4'] },
        { key: 'rack', operator: 'In', values: ['a', 'b'] },
        { key: 'team', operator: 'In', values: ['my-team'] },
        { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['zone-a'] },
      ],
      resources: { requests: { cpu: '1100m', memory: '128Mi', pods: '2' } },
      taints: [{ key: 'dedicated', effect: 'NoSchedule' }],
      expireAfter: '720h',
    },
  });
});

test('a capacity type that cannot be had for any of the types is not asked for', () => {
  const asked = claimOf('3').spec.requirements.find(({ key }) => key === 'karpenter.sh/capacity-type');
  expect(asked?.values).toEqual(['on-demand']);
});
