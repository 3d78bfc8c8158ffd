import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const buffers = '/apis/autoscaling.x-k8s.io/v1beta1/namespaces/default/capacitybuffers';

const anApi = () => anApiServer({ customResources: karpenterCustomResources });

const aBuffer = (spec: Readonly<Record<string, unknown>>) => ({
  apiVersion: 'autoscaling.x-k8s.io/v1beta1',
  kind: 'CapacityBuffer',
  metadata: { name: 'spare' },
  spec,
});

const podTemplateRef = { name: 'web' };
const scalableRef = { apiGroup: 'apps', kind: 'Deployment', name: 'web' };

describe('a buffer is admitted', () => {
  test.each([
    { fact: 'of a PodTemplate with replicas', spec: { podTemplateRef, replicas: 3 } },
    { fact: 'of a PodTemplate with limits', spec: { podTemplateRef, limits: { cpu: '10', memory: '20Gi' } } },
    { fact: 'of a workload with a percentage', spec: { scalableRef, percentage: 20 } },
    { fact: 'of a workload alone', spec: { scalableRef } },
    { fact: 'with replicas and a percentage', spec: { scalableRef, replicas: 2, percentage: 20 } },
    { fact: 'of no replicas', spec: { podTemplateRef, replicas: 0 } },
    { fact: 'of zero percent', spec: { scalableRef, percentage: 0 } },
    { fact: 'of a workload of the core group', spec: { scalableRef: { ...scalableRef, apiGroup: '' } } },
    { fact: 'of a workload without a group', spec: { scalableRef: { kind: 'Deployment', name: 'web' } } },
    { fact: 'of nothing, which its status tells', spec: {} },
  ])('$fact', async ({ spec }) => {
    const { status } = await anApi().send('POST', buffers, aBuffer(spec));
    expect(status).toBe(201);
  });
});

describe('a buffer is refused', () => {
  test.each([
    { fact: 'of a PodTemplate and a workload', spec: { podTemplateRef, scalableRef, replicas: 1 }, field: 'spec' },
    { fact: 'of a PodTemplate without replicas and limits', spec: { podTemplateRef }, field: 'spec' },
    { fact: 'of a PodTemplate with a percentage alone', spec: { podTemplateRef, percentage: 5 }, field: 'spec' },
    { fact: 'of less than no replicas', spec: { podTemplateRef, replicas: -1 }, field: 'spec.replicas' },
    { fact: 'of less than zero percent', spec: { scalableRef, percentage: -1 }, field: 'spec.percentage' },
    {
      fact: 'of a PodTemplate without a name',
      spec: { podTemplateRef: { name: '' }, replicas: 1 },
      field: 'spec.podTemplateRef.name',
    },
    {
      fact: 'of a workload without a kind',
      spec: { scalableRef: { ...scalableRef, kind: '' } },
      field: 'spec.scalableRef.kind',
    },
    {
      fact: 'of a workload without a name',
      spec: { scalableRef: { ...scalableRef, name: '' } },
      field: 'spec.scalableRef.name',
    },
  ])('$fact', async ({ spec, field }) => {
    const { status, body } = await anApi().send('POST', buffers, aBuffer(spec));
    const { causes } = body['details'] as { readonly causes: readonly { readonly field: string }[] };
    expect({ status, fields: causes.map((cause) => cause.field) }).toEqual({ status: 422, fields: [field] });
  });
});

test('a buffer keeps its room as nodes that run unless it says otherwise', async () => {
  const { body } = await anApi().send('POST', buffers, aBuffer({ scalableRef }));
  expect(body['spec']).toEqual({ scalableRef, provisioningStrategy: 'buffer.x-k8s.io/active-capacity' });
});

test('kubectl shows what a buffer is like, how large it is and how it stands', async () => {
  const api = anApi();
  await api.send('POST', buffers, aBuffer({ podTemplateRef, replicas: 3 }));
  const since = { lastTransitionTime: '2024-01-28T00:00:00Z', message: '' };
  const conditions = [
    { type: 'Provisioning', status: 'False', reason: 'RequiresNewCapacity', ...since },
    { type: 'ReadyForProvisioning', status: 'True', reason: 'Resolved', ...since },
  ];
  const patch = { status: { podTemplateRef, replicas: 3, conditions } };
  await api.send('PATCH', `${buffers}/spare/status`, patch, { 'content-type': 'application/merge-patch+json' });
  const { body } = await api.send('GET', buffers, undefined, {
    accept: 'application/json;as=Table;v=v1;g=meta.k8s.io',
  });
  const { columnDefinitions, rows } = body as unknown as {
    readonly columnDefinitions: readonly { readonly name: string }[];
    readonly rows: readonly { readonly cells: readonly unknown[] }[];
  };
  expect(columnDefinitions.map(({ name }) => name)).toEqual([
    'Name',
    'Strategy',
    'PodTemplate',
    'Replicas',
    'ConditionsType',
    'ConditionsStatus',
    'ConditionsReason',
    'Age',
  ]);
  expect(rows[0]?.cells.slice(0, -1)).toEqual([
    'spare',
    'buffer.x-k8s.io/active-capacity',
    'web',
    3,
    'Provisioning',
    'False',
    'RequiresNewCapacity',
  ]);
});
