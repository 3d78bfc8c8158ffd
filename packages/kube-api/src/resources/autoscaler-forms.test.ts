import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const path = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`;
const reference = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
const cpu = (share: number): object => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: share } },
});
const memory = {
  type: 'Resource',
  resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } },
};

test('a share of the CPU in autoscaling/v1 is a metric in autoscaling/v2', async () => {
  const { send } = anApiServer();
  const spec = { maxReplicas: 5, scaleTargetRef: reference, targetCPUUtilizationPercentage: 60 };
  const made = await send('POST', path('v1'), { metadata: { name: 'a' }, spec });
  expect(made).toMatchObject({ status: 201, body: { spec: { ...spec, minReplicas: 1 } } });
  const read = (await send('GET', `${path('v2')}/a`)).body;
  expect(read['spec']).toEqual({ maxReplicas: 5, minReplicas: 1, scaleTargetRef: reference, metrics: [cpu(60)] });
});

test('without a metric, 80% of the CPU is the target in both versions', async () => {
  const { send } = anApiServer();
  const spec = { maxReplicas: 5, scaleTargetRef: reference };
  for (const version of ['v1', 'v2']) await send('POST', path(version), { metadata: { name: version }, spec });
  for (const name of ['v1', 'v2']) {
    expect((await send('GET', `${path('v1')}/${name}`)).body['spec']).toMatchObject({
      targetCPUUtilizationPercentage: 80,
    });
    expect((await send('GET', `${path('v2')}/${name}`)).body['spec']).toMatchObject({ metrics: [cpu(80)] });
  }
});

test('what autoscaling/v1 cannot say survives an update in autoscaling/v1', async () => {
  const { send } = anApiServer();
  const spec = { maxReplicas: 5, scaleTargetRef: reference, metrics: [memory, cpu(50)], behavior: { scaleDown: {} } };
  await send('POST', path('v2'), { metadata: { name: 'a' }, spec });
  const before = (await send('GET', `${path('v2')}/a`)).body['spec'];
  const old = (await send('GET', `${path('v1')}/a`)).body;
  const changed = { ...old, spec: { ...(old['spec'] as object), maxReplicas: 7 } };
  expect((await send('PUT', `${path('v1')}/a`, changed)).status).toBe(200);
  const after = (await send('GET', `${path('v2')}/a`)).body;
  expect(after['spec']).toEqual({ ...(before as object), maxReplicas: 7 });
  expect(after['metadata']).not.toHaveProperty('annotations');
});
