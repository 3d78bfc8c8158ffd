import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const namespaces = '/api/v1/namespaces';
const configMaps = `${namespaces}/default/configmaps`;
const pods = `${namespaces}/default/pods`;
const container = { name: 'c', image: 'registry.example/app:1' };

type Metadata = Readonly<Record<string, unknown>> & { readonly name: string; readonly resourceVersion: string };
const metadataOf = (body: Readonly<Record<string, unknown>>) => body['metadata'] as Metadata;

test('only the server sets identity and time', async () => {
  const { send } = anApiServer();
  const metadata = { name: 'a', uid: 'mine', creationTimestamp: '2000-01-01T00:00:00Z', generation: 7 };
  const { status, body } = await send('POST', configMaps, { metadata, data: { k: 'v' } });
  expect([status, body['kind'], body['apiVersion']]).toEqual([201, 'ConfigMap', 'v1']);
  const created = metadataOf(body);
  expect(created).toMatchObject({ name: 'a', namespace: 'default', creationTimestamp: '2024-01-28T00:00:00Z' });
  expect(created['uid']).not.toBe('mine');
  // A kind that counts no generations keeps what it is given, as a real server does.
  expect(created['generation']).toBe(7);
});

describe('a create is refused', () => {
  const cases = [
    {
      fact: 'when the object exists',
      metadata: { name: 'there' },
      status: 409,
      reason: 'AlreadyExists',
      message: 'configmaps "there" already exists',
    },
    {
      fact: 'when the object is being deleted',
      metadata: { name: 'going' },
      status: 409,
      reason: 'AlreadyExists',
      message: 'object is being deleted: configmaps "going" already exists',
    },
    {
      fact: 'when it has a resource version',
      metadata: { name: 'a', resourceVersion: '5' },
      status: 500,
      reason: undefined,
      message: 'resourceVersion should not be set on objects to be created',
    },
    {
      fact: 'when its name is not valid',
      metadata: { name: 'Bad_Name' },
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "Bad_Name" is invalid: metadata.name: Invalid value: "Bad_Name"',
    },
    {
      fact: 'when a label is not valid',
      metadata: { name: 'x', labels: { '-bad': 'x' } },
      status: 422,
      reason: 'Invalid',
      message: 'ConfigMap "x" is invalid: metadata.labels: Invalid value: "-bad": name part must consist of',
    },
    {
      fact: 'when an owner is incomplete',
      metadata: { name: 'x', ownerReferences: [{ apiVersion: 'v1' }] },
      status: 422,
      reason: 'Invalid',
      message: 'metadata.ownerReferences.kind: Invalid value: "": must not be empty',
    },
  ] as const;

  for (const { fact, metadata, status, reason, message } of cases) {
    test(fact, async () => {
      const { send } = anApiServer();
      await send('POST', configMaps, { metadata: { name: 'there' } });
      await send('POST', configMaps, { metadata: { name: 'going', finalizers: ['example.com/one'] } });
      await send('DELETE', `${configMaps}/going`);
      const answer = await send('POST', configMaps, { metadata });
      expect([answer.status, answer.body['reason']]).toEqual([status, reason]);
      expect(answer.body['message']).toContain(message);
    });
  }

  test('when its namespace does not exist', async () => {
    const { send } = anApiServer();
    const answer = await send('POST', `${namespaces}/nonamespace/configmaps`, { metadata: { name: 'x' } });
    expect(answer).toMatchObject({ status: 404, body: { message: 'namespaces "nonamespace" not found' } });
  });

  test('when its namespace is being deleted', async () => {
    const { send } = anApiServer();
    await send('POST', namespaces, { metadata: { name: 'del' } });
    await send('DELETE', `${namespaces}/del`);
    expect(await send('POST', `${namespaces}/del/configmaps`, { metadata: { name: 'late' } })).toMatchObject({
      status: 403,
      body: {
        reason: 'Forbidden',
        message:
          'configmaps "late" is forbidden: unable to create new content in namespace del because it is being terminated',
        details: { causes: [{ reason: 'NamespaceTerminating', field: 'metadata.namespace' }] },
      },
    });
  });

  test('with all problems of the object at once', async () => {
    const { send } = anApiServer();
    const spec = { containers: [{ name: 'Bad', image: '' }], restartPolicy: 'Sometimes' };
    const { status, body } = await send('POST', pods, { metadata: { name: 'p' }, spec });
    const { causes } = body['details'] as { readonly causes: readonly { readonly field: string }[] };
    expect(status).toBe(422);
    expect(new Set(causes.map(({ field }) => field))).toEqual(
      new Set(['spec.containers[0].name', 'spec.containers[0].image', 'spec.restartPolicy']),
    );
  });
});

describe('generateName', () => {
  test('gets five random characters', async () => {
    const { send } = anApiServer();
    const names = new Set<string>();
    for (let count = 0; count < 20; count += 1) {
      const { body } = await send('POST', configMaps, { metadata: { generateName: 'gen-' } });
      names.add(metadataOf(body).name);
    }
    expect([...names].every((name) => /^gen-[a-z0-9]{5}$/.test(name))).toBe(true);
    expect(names.size).toBe(20);
  });

  test('is cut so that the name fits 63 characters', async () => {
    const { send } = anApiServer();
    const { body } = await send('POST', configMaps, { metadata: { generateName: 'g'.repeat(70) } });
    expect(metadataOf(body).name).toHaveLength(63);
  });

  test('gives way to a name', async () => {
    const { send } = anApiServer();
    const { body } = await send('POST', configMaps, { metadata: { name: 'given', generateName: 'gen-' } });
    expect(metadataOf(body).name).toBe('given');
  });
});

describe('the server completes', () => {
  test('a namespace with its label, its finalizer and its phase', async () => {
    const { send } = anApiServer();
    const { body } = await send('POST', namespaces, { metadata: { name: 'n', labels: { a: 'b' } } });
    expect(body).toMatchObject({
      metadata: { labels: { a: 'b', 'kubernetes.io/metadata.name': 'n' } },
      spec: { finalizers: ['kubernetes'] },
      status: { phase: 'Active' },
    });
  });

  test('a pod with its generation, its priority and the tolerations for lost nodes', async () => {
    const { send } = anApiServer();
    const spec = { containers: [container], priorityClassName: 'system-node-critical' };
    const { body } = await send('POST', pods, { metadata: { name: 'p' }, spec });
    expect(body).toMatchObject({
      metadata: { generation: 1 },
      spec: {
        priority: 2_000_001_000,
        preemptionPolicy: 'PreemptLowerPriority',
        restartPolicy: 'Always',
        tolerations: [
          { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
          { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
        ],
      },
      status: { phase: 'Pending', qosClass: 'BestEffort' },
    });
  });

  test('each service with an address of its own', async () => {
    const { send } = anApiServer();
    const addresses: unknown[] = [];
    for (const name of ['one', 'two']) {
      const service = { metadata: { name }, spec: { ports: [{ port: 80 }] } };
      const { body } = await send('POST', `${namespaces}/default/services`, service);
      addresses.push((body['spec'] as { readonly clusterIP: string }).clusterIP);
    }
    expect(new Set(addresses).size).toBe(2);
    for (const address of addresses) expect(address).toMatch(/^10\.100\.\d+\.\d+$/);
  });

  test('a job with a selector for its UID', async () => {
    const { send } = anApiServer();
    const template = { spec: { containers: [container], restartPolicy: 'Never' } };
    const job = { metadata: { name: 'j' }, spec: { template } };
    const { body } = await send('POST', '/apis/batch/v1/namespaces/default/jobs', job);
    const matchLabels = { 'batch.kubernetes.io/controller-uid': metadataOf(body)['uid'] };
    expect(body).toMatchObject({
      metadata: { labels: { 'job-name': 'j', ...matchLabels } },
      spec: { selector: { matchLabels }, template: { metadata: { labels: matchLabels } } },
    });
  });

  test('a time for taints of devices', async () => {
    const { send } = anApiServer({ version: '1.36' });
    const device = { name: 'gpu-0', taints: [{ key: 'a', effect: 'NoExecute' }], capacity: { memory: {} } };
    const pool = { name: 'p', generation: 1, resourceSliceCount: 1 };
    const slice = {
      metadata: { name: 's' },
      spec: { driver: 'gpu.example.com', nodeName: 'n', pool, devices: [device] },
    };
    const { body } = await send('POST', '/apis/resource.k8s.io/v1/resourceslices', slice);
    expect(body).toMatchObject({
      spec: {
        devices: [
          { taints: [{ timeAdded: metadataOf(body)['creationTimestamp'] }], capacity: { memory: { value: '0' } } },
        ],
      },
    });
  });
});

/** A kubelet registers its node with a status. Other kinds begin without the one that a client sends. */
const statuses = [
  { kind: 'node', path: '/api/v1/nodes', body: {}, isKept: true },
  { kind: 'pod', path: pods, body: { spec: { containers: [container] } }, isKept: false },
  {
    kind: 'deployment',
    path: '/apis/apps/v1/namespaces/default/deployments',
    body: {
      spec: {
        selector: { matchLabels: { a: 'b' } },
        template: { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } },
      },
    },
    isKept: false,
  },
] as const;

for (const { kind, path, body, isKept } of statuses) {
  test(`the status of a new ${kind} is ${isKept ? 'kept' : 'dropped'}`, async () => {
    const { send } = anApiServer();
    const status = { conditions: [{ type: 'example.com/Sent', status: 'True' }] };
    const answer = await send('POST', path, { metadata: { name: 'x' }, ...body, status });
    expect(answer.status).toBe(201);
    expect(JSON.stringify(answer.body['status'] ?? {}).includes('example.com/Sent')).toBe(isKept);
  });
}

test('a new object is owned by the manager that the request names, else by its user agent', async () => {
  const { send } = anApiServer();
  const managersOf = (body: Readonly<Record<string, unknown>>) =>
    (metadataOf(body)['managedFields'] as readonly { readonly manager: string }[]).map(({ manager }) => manager);
  const named = await send('POST', `${configMaps}?fieldManager=me`, { metadata: { name: 'a' }, data: { k: 'v' } });
  const unnamed = await send('POST', configMaps, { metadata: { name: 'b' }, data: { k: 'v' } });
  expect([managersOf(named.body), managersOf(unnamed.body)]).toEqual([['me'], ['test']]);
});

test('every write gets the next revision, whatever its collection', async () => {
  const { send } = anApiServer();
  const versions: number[] = [];
  for (const path of [configMaps, '/api/v1/nodes', configMaps]) {
    const { body } = await send('POST', path, { metadata: { generateName: 'x-' } });
    versions.push(Number(metadataOf(body).resourceVersion));
  }
  const [first = 0] = versions;
  expect(versions).toEqual([first, first + 1, first + 2]);
});
