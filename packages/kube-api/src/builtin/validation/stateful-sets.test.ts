import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const sets = '/apis/apps/v1/namespaces/default/statefulsets';

const database = {
  metadata: { name: 'db' },
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'db', image: 'postgres', volumeMounts: [{ name: 'data', mountPath: '/data' }] }] },
    },
    volumeClaimTemplates: [
      {
        metadata: { name: 'data' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      },
    ],
  },
};

const withSpec = (spec: object): object => ({ ...database, spec: { ...database.spec, ...spec } });

test('a container of a StatefulSet may mount a claim of its templates', async () => {
  const { send } = anApiServer();
  expect(await send('POST', sets, database)).toMatchObject({ status: 201 });
});

test('a container of a Deployment may not mount a volume that its template lacks', async () => {
  const { send } = anApiServer();
  const { volumeClaimTemplates: _templates, serviceName: _service, ...spec } = database.spec;
  const answer = await send('POST', '/apis/apps/v1/namespaces/default/deployments', { ...database, spec });
  expect(answer).toMatchObject({
    status: 422,
    body: {
      message:
        'Deployment.apps "db" is invalid: spec.template.spec.containers[0].volumeMounts[0].name: Not found: "data"',
    },
  });
});

test.each([
  {
    fact: 'an empty selector',
    spec: { selector: {} },
    message: 'spec.selector: Invalid value: {}: empty selector is invalid for statefulset',
  },
  {
    fact: 'pods that are not restarted',
    spec: { template: { ...database.spec.template, spec: { ...database.spec.template.spec, restartPolicy: 'Never' } } },
    message: 'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
  },
  {
    fact: 'a deadline',
    spec: {
      template: { ...database.spec.template, spec: { ...database.spec.template.spec, activeDeadlineSeconds: 9 } },
    },
    message:
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported',
  },
])('a StatefulSet with $fact is refused', async ({ spec, message }) => {
  const { send } = anApiServer();
  const { status, body } = await send('POST', sets, withSpec(spec));
  expect([status, String(body['message'])]).toEqual([422, expect.stringContaining(message)]);
});

test('the claim templates of a StatefulSet never change, its template does', async () => {
  const { send } = anApiServer();
  await send('POST', sets, database);
  const merge = { 'content-type': 'application/merge-patch+json' };
  const change = (spec: object) => send('PATCH', `${sets}/db`, { spec }, merge);
  expect(await change({ volumeClaimTemplates: [] })).toMatchObject({
    status: 422,
    body: { message: expect.stringContaining('spec: Forbidden: updates to statefulset spec for fields other than') },
  });
  expect(await change({ replicas: 3, minReadySeconds: 5 })).toMatchObject({ status: 200 });
});

test('since 1.36 the claim templates of a new StatefulSet are validated', async () => {
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, spec: {} }];
  const create = (version: string) => anApiServer({ version }).send('POST', sets, withSpec({ volumeClaimTemplates }));
  expect(await create('1.35')).toMatchObject({ status: 201 });
  expect(await create('1.36')).toMatchObject({
    status: 422,
    body: {
      details: {
        causes: [
          { field: 'spec.volumeClaimTemplates[0].spec.accessModes' },
          { field: 'spec.volumeClaimTemplates[0].spec.resources[storage]' },
        ],
      },
    },
  });
});
