import { type EC2NodeClass, instant, type NodeClaim } from '@nodewright/apis';
import type { ControlPlanePort, NodeClassPort, QuotaPort } from '@nodewright/ports';
import type { KubernetesClient } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { createObjects } from '../../state/objects.ts';
import { observeNodeClass } from './observe.ts';

const leaving: EC2NodeClass = {
  metadata: { name: 'default', uid: 'c', resourceVersion: '1', deletionTimestamp: '2024-01-28T16:00:00Z' },
  spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
};

const aClaim = (name: string, nodeClass: string, kind = 'EC2NodeClass'): NodeClaim => ({
  metadata: { name, uid: name, resourceVersion: '1' },
  spec: { nodeClassRef: { group: 'karpenter.k8s.aws', kind, name: nodeClass }, requirements: [] },
});

test('a deleted class waits for claims that a lagging watch has not told of', async () => {
  const stored = [aClaim('own', 'default'), aClaim('other', 'other'), aClaim('foreign', 'default', 'OtherNodeClass')];
  const client = { list: async () => ({ metadata: {}, items: stored }) } as unknown as KubernetesClient;
  const objects = createObjects(client);
  objects.nodeClasses.cache.seen(leaving);
  const sources = {
    objects,
    nodeClasses: {} as NodeClassPort,
    controlPlane: {} as ControlPlanePort,
    quotas: {} as QuotaPort,
  };
  const seen = await observeNodeClass(sources, { name: 'default', now: instant(0) }, new AbortController().signal);
  expect(seen?.claims.map(({ metadata }) => metadata.name)).toEqual(['own']);
});
