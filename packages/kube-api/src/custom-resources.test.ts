import { expect, test } from 'vitest';
import { karpenterCustomResources } from '@nodewright/apis';
import { anApiServer } from '@nodewright/testkit/worlds';

const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const lamps = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'lamps.example.com' },
  spec: {
    group: 'example.com',
    scope: 'Cluster',
    names: { plural: 'lamps', kind: 'Lamp' },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { spec: { type: 'object', properties: { watts: { type: 'integer', default: 60 } } } },
          },
        },
        additionalPrinterColumns: [{ name: 'Watts', type: 'integer', jsonPath: '.spec.watts' }],
      },
    ],
  },
};

test('a definition is established as soon as it is there, and its kind served', async () => {
  const { send, watch, time } = anApiServer();
  const { lines } = await watch(`${definitions}?watch=true`);
  expect(await send('POST', definitions, lamps)).toMatchObject({ status: 201, body: { status: { conditions: null } } });
  await time.settle();
  expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'MODIFIED']);
  const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'desk' }, spec: { colour: 'red' } };
  const created = await send('POST', '/apis/example.com/v1/lamps', lamp);
  expect(created).toMatchObject({ status: 201, body: { metadata: { generation: 1 }, spec: { watts: 60 } } });
  expect(created.body['spec']).toEqual({ watts: 60 });
});

test('a default may be zero, false or empty', async () => {
  const { send } = anApiServer();
  const properties = {
    count: { type: 'integer', default: 0 },
    isOn: { type: 'boolean', default: false },
    word: { type: 'string', default: '' },
  };
  const openAPIV3Schema = { type: 'object', properties: { spec: { type: 'object', properties, default: {} } } };
  const versions = [{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema } }];
  await send('POST', definitions, { ...lamps, spec: { ...lamps.spec, versions } });
  const lamp = { apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'desk' } };
  const created = await send('POST', '/apis/example.com/v1/lamps', lamp);
  expect(created.body['spec']).toEqual({ count: 0, isOn: false, word: '' });
});

test('the status of a definition that is written empty has the storage version again', async () => {
  const { send } = anApiServer();
  await send('POST', definitions, lamps);
  const path = `${definitions}/lamps.example.com`;
  const { body } = await send('GET', path);
  const written = await send('PUT', `${path}/status`, { ...body, status: {} });
  expect(written).toMatchObject({ status: 200, body: { status: { storedVersions: ['v1'] } } });
});

test('a new storage version is told beside the ones before it', async () => {
  const { send } = anApiServer();
  await send('POST', definitions, lamps);
  const path = `${definitions}/lamps.example.com`;
  const { body } = await send('GET', path);
  const [version] = lamps.spec.versions;
  const versions = [
    { ...version, storage: false },
    { ...version, name: 'v2' },
  ];
  const changed = await send('PUT', path, { ...body, spec: { ...(body['spec'] as object), versions } });
  expect(changed).toMatchObject({ status: 200, body: { status: { storedVersions: ['v1', 'v2'] } } });
});

test('the objects of a definition go with it', async () => {
  const { send } = anApiServer();
  await send('POST', definitions, lamps);
  await send('POST', '/apis/example.com/v1/lamps', {
    apiVersion: 'example.com/v1',
    kind: 'Lamp',
    metadata: { name: 'desk' },
  });
  await send('DELETE', `${definitions}/lamps.example.com`);
  expect(await send('GET', `${definitions}/lamps.example.com`)).toMatchObject({ status: 404 });
  expect(await send('GET', '/apis/example.com/v1/lamps')).toMatchObject({ status: 404 });
  await send('POST', definitions, lamps);
  expect((await send('GET', '/apis/example.com/v1/lamps')).body).toMatchObject({ items: [] });
});

test('a table has the columns that the definition asks for', async () => {
  const { send } = anApiServer();
  await send('POST', definitions, lamps);
  await send('POST', '/apis/example.com/v1/lamps', {
    apiVersion: 'example.com/v1',
    kind: 'Lamp',
    metadata: { name: 'desk' },
    spec: {},
  });
  const accept = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
  expect((await send('GET', '/apis/example.com/v1/lamps', undefined, accept)).body).toMatchObject({
    columnDefinitions: [{ name: 'Name' }, { name: 'Watts' }],
    rows: [{ cells: ['desk', 60] }],
  });
});

test('an object written in one version is read in another', async () => {
  const { send } = anApiServer({ customResources: karpenterCustomResources });
  const spec = {
    template: {
      spec: {
        nodeClassRef: { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' },
        requirements: [],
        expireAfter: '240h',
      },
    },
  };
  const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' }, spec };
  expect(await send('POST', '/apis/karpenter.sh/v1/nodepools', pool)).toMatchObject({ status: 201 });
  expect((await send('GET', '/apis/karpenter.sh/v1beta1/nodepools/default')).body).toMatchObject({
    apiVersion: 'karpenter.sh/v1beta1',
    spec: { disruption: { expireAfter: '240h' } },
  });
});

test('a client of v1beta1 that writes back what it read takes nothing away from v1', async () => {
  const { send } = anApiServer({ customResources: karpenterCustomResources });
  const path = (version: string, rest: string) => `/apis/karpenter.k8s.aws/${version}/ec2nodeclasses${rest}`;
  const spec = {
    role: 'r',
    amiSelectorTerms: [{ alias: 'al2023@v20240807', minimumAgeDuration: '10d' }],
    subnetSelectorTerms: [{ id: 'subnet-0123456789abcdef0' }],
    securityGroupSelectorTerms: [{ id: 'sg-0123456789abcdef0' }],
    kubelet: { maxPods: 20, systemReserved: { cpu: '100m' } },
    blockDeviceMappings: [
      {
        deviceName: '/dev/xvda',
        rootVolume: true,
        ebs: { volumeSize: '20Gi', volumeInitializationRate: 100, snapshotID: 'snap-0123456789abcdef0' },
      },
    ],
    metadataOptions: { httpPutResponseHopLimit: 1 },
  };
  const nodeClass = { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'a' }, spec };
  const created = await send('POST', path('v1', ''), nodeClass);
  expect(created).toMatchObject({ status: 201 });
  const old = (await send('GET', path('v1beta1', '/a'))).body;
  expect(old).toMatchObject({ spec: { amiFamily: 'AL2023', metadataOptions: { httpPutResponseHopLimit: 1 } } });
  expect(old['spec'] as object).not.toHaveProperty('kubelet');
  expect(
    await send('PUT', path('v1beta1', '/a'), { ...old, spec: { ...(old['spec'] as object), context: 'mine' } }),
  ).toMatchObject({ status: 200 });
  expect((await send('GET', path('v1', '/a'))).body['spec']).toEqual({
    ...(created.body['spec'] as object),
    context: 'mine',
  });
});
