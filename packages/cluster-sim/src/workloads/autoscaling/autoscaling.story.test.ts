import { type Deployment, deployments } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { startClusterServices } from '../../system-objects/cluster-services.ts';
import { type Autoscaler, type AutoscalerMetric, autoscalers } from './autoscaler.ts';

const deployment = (cpuUse: string): Deployment => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: 'web' } },
    template: {
      metadata: { labels: { app: 'web' }, annotations: { 'sandbox.nodewright.dev/cpu-use': cpuUse } },
      spec: { containers: [{ name: 'web', image: 'web', resources: { requests: { cpu: '100m', memory: '64Mi' } } }] },
    },
  },
});

const utilization = (averageUtilization: number): AutoscalerMetric => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

const anAutoscaler = (spec: Partial<Autoscaler['spec']> = {}): Autoscaler => ({
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', namespace: 'default' },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
    minReplicas: 1,
    maxReplicas: 10,
    metrics: [utilization(50)],
    ...spec,
  },
});

async function aScaledCluster(cpuUse: string, spec: Partial<Autoscaler['spec']> = {}) {
  const cluster = new SmallCluster();
  startClusterServices({ clock: cluster.time.clock, random: seededRandom('services'), client: cluster.client });
  cluster.launch();
  await cluster.create(deployments, deployment(cpuUse));
  await cluster.after(90);
  await cluster.create(autoscalers, anAutoscaler(spec));
  return {
    cluster,
    replicas: async () => (await cluster.get(deployments, 'web', 'default'))?.spec.replicas,
    status: async () => (await cluster.get(autoscalers, 'web', 'default'))?.status,
  };
}

test('a workload grows until its use meets the target', async () => {
  const { cluster, replicas, status } = await aScaledCluster('100m');
  await cluster.after(5);
  expect(await replicas()).toBe(4);
  expect(await status()).toMatchObject({
    desiredReplicas: 4,
    currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 100 } } }],
  });
  await cluster.after(300);
  expect(await replicas()).toBe(10);
  expect((await status())?.conditions).toContainEqual(
    expect.objectContaining({ type: 'ScalingLimited', status: 'True' }),
  );
});

test('a workload shrinks when nothing has asked for more for five minutes', async () => {
  const { cluster, replicas } = await aScaledCluster('10m');
  await cluster.after(280);
  expect(await replicas()).toBe(2);
  await cluster.after(40);
  expect(await replicas()).toBe(1);
});

for (const { fact, spec, condition } of [
  {
    fact: 'a target that is not there',
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'absent' } },
    condition: { type: 'AbleToScale', status: 'False', reason: 'FailedGetScale' },
  },
  {
    fact: 'a metric that nobody measures',
    spec: {
      metrics: [{ type: 'External', external: { metric: { name: 'queue' }, target: { type: 'Value', value: '5' } } }],
    },
    condition: { type: 'ScalingActive', status: 'False', reason: 'FailedGetResourceMetric' },
  },
] as { fact: string; spec: Partial<Autoscaler['spec']>; condition: object }[]) {
  test(`${fact} is told in the conditions`, async () => {
    const { cluster, replicas, status } = await aScaledCluster('100m', spec);
    await cluster.after(20);
    expect(await replicas()).toBe(2);
    expect((await status())?.conditions).toContainEqual(expect.objectContaining(condition));
  });
}
