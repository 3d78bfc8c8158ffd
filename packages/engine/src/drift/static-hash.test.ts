import type { EC2NodeClass, NodePool } from '@nodewright/apis';
import { aNodeClass, aNodePool } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { ec2NodeClassHash, nodePoolHash } from './static-hash.ts';
import { structuralHash } from './structural-hash.ts';

test('the hash is FNV-1a of 64 bits, so it stays the same between releases', () => {
  expect(structuralHash(undefined)).toBe('14695981039346656037');
  expect(structuralHash({ a: 'b' })).toBe(structuralHash({ a: 'b', c: '', d: 0, e: [], f: {}, g: false }));
});

describe('a NodePool', () => {
  const base = nodePoolHash(aNodePool());
  const taint = { key: 'a', effect: 'NoSchedule' } as const;
  const other = { key: 'b', effect: 'NoSchedule' } as const;
  for (const [field, pool] of Object.entries({
    labels: aNodePool('default', { labels: { a: 'b' } }),
    annotations: aNodePool('default', { annotations: { a: 'b' } }),
    taints: aNodePool('default', { taints: [taint] }),
    startupTaints: aNodePool('default', { startupTaints: [taint] }),
    nodeClassRef: aNodePool('default', {
      nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'x' },
    }),
    expireAfter: aNodePool('default', { expireAfter: '720h' }),
    'expireAfter of zero': aNodePool('default', { expireAfter: '0s' }),
    terminationGracePeriod: aNodePool('default', { terminationGracePeriod: '1h' }),
  })) {
    test(`changes its hash with ${field}`, () => {
      expect(nodePoolHash(pool)).not.toBe(base);
    });
  }
  for (const [field, pool] of Object.entries({
    disruption: aNodePool('default', { disruption: { consolidateAfter: '1m', budgets: [{ nodes: '1' }] } }),
    limits: aNodePool('default', { limits: { cpu: '1' } }),
    weight: aNodePool('default', { weight: 5 }),
    requirements: aNodePool('default', { requirements: [{ key: 'a', operator: 'Exists' }] }),
    'expireAfter Never': aNodePool('default', { expireAfter: 'Never' }),
    'empty labels': aNodePool('default', { labels: {} }),
  })) {
    test(`keeps its hash with ${field}`, () => {
      expect(nodePoolHash(pool)).toBe(base);
    });
  }
  test('keeps its hash when a list is reordered or a duration respelt', () => {
    const hash = (traits: Partial<NodePool['spec']['template']['spec']>) => nodePoolHash(aNodePool('default', traits));
    expect(hash({ taints: [taint, other] })).toBe(hash({ taints: [other, taint] }));
    expect(hash({ expireAfter: '60m' })).toBe(hash({ expireAfter: '1h' }));
  });
});

describe('an EC2NodeClass', () => {
  const base = ec2NodeClassHash(aNodeClass());
  const changes: readonly {
    readonly field: string;
    readonly spec: Partial<EC2NodeClass['spec']>;
    readonly same: boolean;
  }[] = [
    { field: 'userData', spec: { userData: 'echo' }, same: false },
    { field: 'role', spec: { role: 'other' }, same: false },
    { field: 'tags', spec: { tags: { a: 'b' } }, same: false },
    {
      field: 'blockDeviceMappings',
      spec: { blockDeviceMappings: [{ deviceName: '/dev/xvda', ebs: { volumeSize: '20Gi' } }] },
      same: false,
    },
    { field: 'detailedMonitoring', spec: { detailedMonitoring: true }, same: false },
    { field: 'kubelet', spec: { kubelet: { maxPods: 20 } }, same: false },
    {
      field: 'an alias of another family',
      spec: { amiSelectorTerms: [{ alias: 'bottlerocket@latest' }] },
      same: false,
    },
    { field: 'another release of the alias', spec: { amiSelectorTerms: [{ alias: 'al2@v20240129' }] }, same: true },
    { field: 'the family the alias implies', spec: { amiFamily: 'AL2' }, same: true },
    { field: 'other subnets', spec: { subnetSelectorTerms: [{ id: 'subnet-1' }] }, same: true },
    { field: 'other security groups', spec: { securityGroupSelectorTerms: [{ id: 'sg-1' }] }, same: true },
    { field: 'ipPrefixCount', spec: { ipPrefixCount: 2 }, same: true },
    { field: 'monitoring switched off explicitly', spec: { detailedMonitoring: false }, same: true },
  ];
  for (const { field, spec, same } of changes) {
    test(`${same ? 'keeps' : 'changes'} its hash with ${field}`, () => {
      expect(ec2NodeClassHash(aNodeClass(spec)) === base).toBe(same);
    });
  }
  test('changes its hash with the CA bundle', () => {
    expect(ec2NodeClassHash(aNodeClass(), { caBundle: 'Q0E=' })).not.toBe(base);
  });
});
