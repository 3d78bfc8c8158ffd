import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';
const pods = '/api/v1/namespaces/default/pods';
const merge = { 'content-type': 'application/merge-patch+json' };

type Body = Readonly<Record<string, unknown>>;
const metadataOf = (body: Body) =>
  body['metadata'] as Body & { readonly uid: string; readonly resourceVersion: string };

async function withConfigMap(metadata: Body = {}) {
  const api = anApiServer();
  const { body } = await api.send('POST', configMaps, { metadata: { name: 'a', ...metadata }, data: { k: 'v' } });
  const remove = (options?: Body, query = '') => api.send('DELETE', `${configMaps}/a${query}`, options);
  return { ...api, remove, created: metadataOf(body) };
}

test('a delete answers with the name and the UID of what it removed', async () => {
  const { send, remove, created } = await withConfigMap();
  const { body } = await remove();
  expect(body).toEqual({
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: { name: 'a', kind: 'configmaps', uid: created.uid },
  });
  expect(await send('GET', `${configMaps}/a`)).toMatchObject({ status: 404 });
  expect(await remove()).toMatchObject({ status: 404, body: { message: 'configmaps "a" not found' } });
});

test.each(['v1', 'karpenter.sh/v1', 'example.com/v7', ''])(
  'options of the version "%s" are read',
  async (apiVersion) => {
    const { send } = anApiServer({ version: '1.34' });
    await send('POST', configMaps, { metadata: { name: 'a' } });
    const options = { kind: 'DeleteOptions', apiVersion };
    expect(await send('DELETE', `${configMaps}/a`, options)).toMatchObject({ status: 200 });
    expect(await send('GET', `${configMaps}/a`)).toMatchObject({ status: 404 });
  },
);

describe('the options of a delete', () => {
  const refused = [
    {
      fact: 'of another kind',
      options: { kind: 'Pod', apiVersion: 'v1' },
      status: 400,
      text: 'no kind "Pod" is registered for version "v1"',
    },
    {
      fact: 'with an unknown policy',
      options: { propagationPolicy: 'Bogus' },
      status: 422,
      text: 'Unsupported value: "Bogus": supported values: "Foreground", "Background", "Orphan", "nil"',
    },
    {
      fact: 'with both ways to orphan',
      options: { propagationPolicy: 'Orphan', orphanDependents: true },
      status: 422,
      text: 'orphanDependents and deletionPropagation cannot be both set',
    },
    {
      fact: 'with an unknown dry run',
      options: { dryRun: ['Some'] },
      status: 422,
      text: 'dryRun: Unsupported value: ["Some"]: supported values: "All"',
    },
    {
      fact: 'with the UID of another object',
      options: { preconditions: { uid: '11111111-1111-1111-1111-111111111111' } },
      status: 409,
      text: 'the UID in the precondition (11111111-1111-1111-1111-111111111111) does not match the UID in record',
    },
    {
      fact: 'with an old version',
      options: { preconditions: { resourceVersion: '1' } },
      status: 409,
      text: 'Operation cannot be fulfilled on ConfigMap "a": the ResourceVersion in the precondition (1) does not match',
    },
  ] as const;
  for (const { fact, options, status, text } of refused) {
    test(`${fact} are refused`, async () => {
      const { send, remove } = await withConfigMap();
      const answer = await remove(options);
      expect(answer.status).toBe(status);
      expect(answer.body['message']).toContain(text);
      expect(await send('GET', `${configMaps}/a`)).toMatchObject({ status: 200 });
    });
  }

  test('may name the UID and the version of the object', async () => {
    const { remove, created } = await withConfigMap();
    const { uid, resourceVersion } = created;
    expect(await remove({ preconditions: { uid, resourceVersion } })).toMatchObject({ status: 200 });
  });

  test('may come in the query', async () => {
    const { remove } = await withConfigMap();
    const { body } = await remove(undefined, '?propagationPolicy=Foreground');
    expect(metadataOf(body)).toMatchObject({ finalizers: ['foregroundDeletion'] });
  });
});

describe('an object with finalizers', () => {
  const finalizers = ['example.com/one', 'example.com/two'];
  const deleted = async () => {
    const world = await withConfigMap({ finalizers });
    const { body } = await world.remove();
    const patch = (change: Body) => world.send('PATCH', `${configMaps}/a`, change, merge);
    return { ...world, patch, marked: metadataOf(body) };
  };

  test('is marked and stays', async () => {
    const { send, marked } = await deleted();
    expect(marked).toMatchObject({
      deletionTimestamp: '2024-01-28T00:00:00Z',
      deletionGracePeriodSeconds: 0,
      finalizers,
    });
    expect(await send('GET', `${configMaps}/a`)).toMatchObject({ status: 200 });
  });

  test('is not marked again by a second delete', async () => {
    const { remove, marked } = await deleted();
    const { status, body } = await remove();
    expect([status, metadataOf(body).resourceVersion]).toEqual([200, marked.resourceVersion]);
  });

  test('can still change, but gets no new finalizers and keeps its mark', async () => {
    const { patch, marked } = await deleted();
    expect(await patch({ data: { x: 'y' } })).toMatchObject({ status: 200, body: { data: { k: 'v', x: 'y' } } });
    const { body } = await patch({ metadata: { deletionTimestamp: null } });
    expect(metadataOf(body)['deletionTimestamp']).toBe(marked['deletionTimestamp']);
    expect(await patch({ metadata: { finalizers: [...finalizers, 'example.com/three'] } })).toMatchObject({
      status: 422,
      body: {
        message:
          'ConfigMap "a" is invalid: metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"example.com/three"}',
      },
    });
  });

  test('goes with its last finalizer, and watches see one deletion', async () => {
    const { send, watch, time, patch, marked } = await deleted();
    const { lines } = await watch(`${configMaps}?watch=true&resourceVersion=${marked.resourceVersion}`);
    await patch({ metadata: { finalizers: ['example.com/two'] } });
    const { body } = await patch({ metadata: { finalizers: null } });
    expect(metadataOf(body)).not.toHaveProperty('finalizers');
    expect(await send('GET', `${configMaps}/a`)).toMatchObject({ status: 404 });
    await time.settle();
    expect(lines.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
  });
});

/** The finalizers through which the garbage collector learns about the policy. */
const policies = [
  { policy: 'Background', present: [], after: undefined },
  { policy: 'Foreground', present: [], after: ['foregroundDeletion'] },
  { policy: 'Orphan', present: [], after: ['orphan'] },
  { policy: 'Orphan', present: ['foregroundDeletion', 'example.com/x'], after: ['example.com/x', 'orphan'] },
  { policy: 'Background', present: ['orphan', 'example.com/x'], after: ['example.com/x'] },
] as const;
for (const { policy, present, after } of policies) {
  test(`a delete in the ${policy} of an object with [${present.join()}] leaves [${after?.join() ?? ''}]`, async () => {
    const { remove } = await withConfigMap({ finalizers: present });
    const { body } = await remove({ propagationPolicy: policy });
    expect(body['kind'] === 'Status' ? undefined : metadataOf(body)['finalizers']).toEqual(after);
  });
}

test('a job orphans its pods unless the request says otherwise', async () => {
  const { send } = anApiServer();
  const jobs = '/apis/batch/v1/namespaces/default/jobs';
  const template = { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'registry.example/app:1' }] } };
  await send('POST', jobs, { metadata: { name: 'j' }, spec: { template } });
  expect(metadataOf((await send('DELETE', `${jobs}/j`)).body)).toMatchObject({ finalizers: ['orphan'] });
});

describe('a pod', () => {
  const withPod = async (spec: Body, status: Body = {}) => {
    const api = anApiServer();
    const containers = [{ name: 'c', image: 'registry.example/app:1' }];
    await api.send('POST', pods, { metadata: { name: 'p' }, spec: { containers, ...spec } });
    await api.send('PATCH', `${pods}/p/status`, { status }, merge);
    const remove = async (query = '') => metadataOf((await api.send('DELETE', `${pods}/p${query}`)).body);
    const exists = async () => (await api.send('GET', `${pods}/p`)).status === 200;
    return { ...api, remove, exists };
  };
  const onNode = { nodeName: 'n1' };

  test('without a node goes at once, and the answer shows it', async () => {
    const { remove, exists } = await withPod({});
    expect(await remove()).toMatchObject({ name: 'p', deletionGracePeriodSeconds: 0 });
    expect(await exists()).toBe(false);
  });

  test.each(['Succeeded', 'Failed'])('that has %s goes at once', async (phase) => {
    const { remove, exists } = await withPod(onNode, { phase });
    expect(await remove()).toMatchObject({ deletionGracePeriodSeconds: 0 });
    expect(await exists()).toBe(false);
  });

  const periods = [
    { fact: '30 seconds', spec: {}, query: '', seconds: 30, at: '00:00:30' },
    { fact: 'its own period', spec: { terminationGracePeriodSeconds: 90 }, query: '', seconds: 90, at: '00:01:30' },
    { fact: 'the period of the request', spec: {}, query: '?gracePeriodSeconds=5', seconds: 5, at: '00:00:05' },
    { fact: 'one second for a negative period', spec: {}, query: '?gracePeriodSeconds=-1', seconds: 1, at: '00:00:01' },
  ] as const;
  for (const { fact, spec, query, seconds, at } of periods) {
    test(`on a node waits for ${fact}`, async () => {
      const { remove, exists } = await withPod({ ...onNode, ...spec });
      expect(await remove(query)).toMatchObject({
        deletionGracePeriodSeconds: seconds,
        deletionTimestamp: `2024-01-28T${at}Z`,
        generation: 2,
      });
      expect(await exists()).toBe(true);
    });
  }

  test('waits no longer for a second delete, only shorter', async () => {
    const { remove, exists } = await withPod(onNode);
    await remove();
    expect(await remove('?gracePeriodSeconds=5')).toMatchObject({ deletionGracePeriodSeconds: 5, generation: 2 });
    expect(await remove('?gracePeriodSeconds=600')).toMatchObject({ deletionGracePeriodSeconds: 5 });
    expect(await remove('?gracePeriodSeconds=0')).toMatchObject({ deletionGracePeriodSeconds: 0 });
    expect(await exists()).toBe(false);
  });
});

describe('a namespace', () => {
  test('is marked, terminating, and stays for its controller', async () => {
    const { send } = anApiServer();
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'del' } });
    const { body } = await send('DELETE', '/api/v1/namespaces/del');
    expect(body).toMatchObject({ kind: 'Namespace', status: { phase: 'Terminating' } });
    expect(metadataOf(body)).toHaveProperty('deletionTimestamp');
    expect(metadataOf(body)).not.toHaveProperty('deletionGracePeriodSeconds');
  });

  test('goes when its last finalizer does', async () => {
    const { send } = anApiServer();
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'del' } });
    await send('DELETE', '/api/v1/namespaces/del');
    await send('PUT', '/api/v1/namespaces/del/finalize', { metadata: { name: 'del' }, spec: { finalizers: [] } });
    expect(await send('GET', '/api/v1/namespaces/del')).toMatchObject({ status: 404 });
  });

  test.each(['default', 'kube-system', 'kube-public'])('%s may not be deleted', async (name) => {
    const { send } = anApiServer();
    expect(await send('DELETE', `/api/v1/namespaces/${name}`)).toMatchObject({
      status: 403,
      body: { message: `namespaces "${name}" is forbidden: this namespace may not be deleted` },
    });
  });
});

test('a deleted collection has the selected objects, and marks those with finalizers', async () => {
  const { send } = await withConfigMap({ labels: { on: 'yes' }, finalizers: ['example.com/one'] });
  for (const name of ['b', 'c']) {
    await send('POST', configMaps, { metadata: { name, labels: { on: name === 'b' ? 'yes' : 'no' } } });
  }
  const { status, body } = await send('DELETE', `${configMaps}?labelSelector=on%3Dyes`);
  const namesOf = (list: Body) =>
    (list['items'] as readonly { readonly metadata: { readonly name: string } }[]).map(({ metadata }) => metadata.name);
  expect([status, body['kind'], namesOf(body)]).toEqual([200, 'ConfigMapList', ['a', 'b']]);
  expect(namesOf((await send('GET', configMaps)).body)).toEqual(['a', 'c']);
});
