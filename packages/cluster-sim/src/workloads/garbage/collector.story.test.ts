import { deployments, type NodeClaim, nodeClaims, type NodePool, nodePools, pods, replicaSets } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';

const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };

const aPool: NodePool = {
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodePool',
  metadata: { name: 'default' },
  spec: { template: { spec: { nodeClassRef, requirements: [], expireAfter: 'Never' } } },
};

const aClaim = (name: string, uid: string): NodeClaim => ({
  apiVersion: 'karpenter.sh/v1',
  kind: 'NodeClaim',
  metadata: {
    name,
    ownerReferences: [
      { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', name: 'default', uid, blockOwnerDeletion: true },
    ],
  },
  spec: { nodeClassRef, requirements: [], expireAfter: 'Never' },
});

async function poolWithClaim(): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  await cluster.create(nodePools, aPool);
  const pool = await cluster.get(nodePools, 'default');
  await cluster.create(nodeClaims, aClaim('default-abcde', pool?.metadata.uid ?? ''));
  await cluster.after(5);
  return cluster;
}

test('claims go with their pool', async () => {
  const cluster = await poolWithClaim();
  expect(await cluster.list(nodeClaims)).toHaveLength(1);
  await cluster.do((client) => client.delete(nodePools, { name: 'default' }));
  await cluster.after(1);
  expect(await cluster.list(nodeClaims)).toEqual([]);
});

test('a claim that names a pool which was never there goes, too', async () => {
  const cluster = new SmallCluster();
  await cluster.create(nodeClaims, aClaim('default-abcde', 'no-such-uid'));
  await cluster.after(1);
  expect(await cluster.list(nodeClaims)).toEqual([]);
});

test('a pool deleted in the foreground waits for its claims', async () => {
  const cluster = await poolWithClaim();
  const hold = { metadata: { finalizers: ['karpenter.sh/termination'] } };
  const claim = { name: 'default-abcde' };
  await cluster.do((client) => client.patch(nodeClaims, claim, { type: 'merge', patch: hold }));
  await cluster.do((client) => client.delete(nodePools, { name: 'default' }, { propagationPolicy: 'Foreground' }));
  await cluster.after(5);
  expect((await cluster.get(nodePools, 'default'))?.metadata.finalizers).toEqual(['foregroundDeletion']);
  expect((await cluster.get(nodeClaims, claim.name))?.metadata.deletionTimestamp).toBeDefined();
  const release = { metadata: { finalizers: null } };
  await cluster.do((client) => client.patch(nodeClaims, claim, { type: 'merge', patch: release }));
  await cluster.after(1);
  expect(await cluster.get(nodePools, 'default')).toBeUndefined();
});

test('orphans stay when their owner is deleted without them', async () => {
  const cluster = new SmallCluster();
  await cluster.create(deployments, {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default' },
    spec: {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
    },
  });
  await cluster.after(1);
  const key = { name: 'web', namespace: 'default' };
  await cluster.do((client) => client.delete(deployments, key, { propagationPolicy: 'Orphan' }));
  await cluster.after(5);
  expect(await cluster.get(deployments, 'web', 'default')).toBeUndefined();
  const [set] = await cluster.list(replicaSets, 'default');
  expect(set?.metadata.ownerReferences ?? []).toEqual([]);
  expect(await cluster.list(pods, 'default')).toHaveLength(1);
});
