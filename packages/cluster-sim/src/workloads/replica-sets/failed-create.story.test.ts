import {
  type Deployment,
  deployments,
  events,
  type KubernetesObject,
  replicaSets,
  type ResourceType,
} from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';

const resourceQuotas: ResourceType = {
  group: '',
  version: 'v1',
  plural: 'resourcequotas',
  kind: 'ResourceQuota',
  namespaced: true,
};

const podsQuota = (pods: string): KubernetesObject & { readonly spec: object } => ({
  apiVersion: 'v1',
  kind: 'ResourceQuota',
  metadata: { name: 'few', namespace: 'default' },
  spec: { hard: { pods } },
});

const twoReplicas: Deployment = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
  },
};

async function replicasOfWeb(cluster: SmallCluster) {
  const [set] = await cluster.list(replicaSets, 'default');
  const deployment = await cluster.get(deployments, 'web', 'default');
  const failures = [set?.status?.conditions, deployment?.status?.conditions].map((conditions) =>
    conditions?.find(({ type }) => type === 'ReplicaFailure')?.message?.replace(/"web-[^"]*"/, 'POD'),
  );
  return { replicas: set?.status?.replicas, failures };
}

const quotaRefusal = 'pods POD is forbidden: exceeded quota: few, requested: pods=1, used: pods=1, limited: pods=1';

test('a set that a quota holds tells how many pods it has, and why not more', async () => {
  const cluster = new SmallCluster();
  await cluster.create(resourceQuotas, podsQuota('1'));
  await cluster.create(deployments, twoReplicas);
  await cluster.after(5);
  expect(await replicasOfWeb(cluster)).toEqual({ replicas: 1, failures: [quotaRefusal, quotaRefusal] });
  const told = (await cluster.list(events, 'default')).filter(({ reason }) => reason === 'FailedCreate');
  expect(told[0]).toMatchObject({ type: 'Warning', message: expect.stringMatching(/^Error creating: pods "web-/) });
  await cluster.do((client) =>
    client.patch(
      resourceQuotas,
      { name: 'few', namespace: 'default' },
      { type: 'merge', patch: { spec: { hard: { pods: '2' } } } },
    ),
  );
  await cluster.after(120);
  expect(await replicasOfWeb(cluster)).toEqual({ replicas: 2, failures: [undefined, undefined] });
});
