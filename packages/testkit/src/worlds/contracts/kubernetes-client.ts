import { nodes, podDisruptionBudgets, type PodDisruptionBudget, pods, type Node, type Pod } from '@nodewright/apis';
import { ApiError, type KubernetesClient, type WatchEvent } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';

/** A client of an API server that has the namespace `default` and neither nodes nor pods. */
export type ClientUnderTest = {
  readonly client: KubernetesClient;
  /** Waits for work, and lets time pass meanwhile where a test has to move it. */
  readonly finish: <T>(work: Promise<T>) => Promise<T>;
  /** The server forgets what it could resume watches from. */
  readonly compact: () => void;
};

/** What a server may be unable to do; a test of it does not run there. */
export type ServerLimit =
  | 'bindings'
  | 'dry runs'
  | 'evictions'
  | 'finalizers'
  | 'generated names'
  | 'generations'
  | 'grace periods'
  | 'json patches'
  | 'no-op writes'
  | 'selectors'
  | 'subresources'
  | 'unknown kinds'
  | 'validation'
  | 'version';

/** With the reason of each limit. */
export type ServerLimits = Partial<Readonly<Record<ServerLimit, string>>>;

const aNodeNamed = (name: string, labels: Readonly<Record<string, string>> = {}): Node => ({
  metadata: { name, labels },
});
const aPodNamed = (name: string, labels: Readonly<Record<string, string>> = {}): Pod => ({
  metadata: { name, namespace: 'default', labels },
  spec: { containers: [{ name: 'main', image: 'pause' }] },
});
/** For pods of the app `web`. */
const aBudget = (minAvailable: number): PodDisruptionBudget => ({
  metadata: { name: 'budget', namespace: 'default' },
  spec: { minAvailable, selector: { matchLabels: { app: 'web' } } },
});
const podKey = (name: string) => ({ name, namespace: 'default' });
const namesOf = (objects: readonly { readonly metadata: { readonly name: string } }[]): readonly string[] =>
  objects.map(({ metadata }) => metadata.name);

/** The refusal of a call; the test fails when there is none. */
async function refusalOf(work: Promise<unknown>): Promise<ApiError> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw new Error(`no refusal of the API server: ${String(error)}`);
}

/** The guarantees of `KubernetesClient`, which hold before every API server. */
export function describeClientContract(
  name: string,
  createSubject: () => ClientUnderTest | Promise<ClientUnderTest>,
  limits: ServerLimits = {},
): void {
  type Story = (client: KubernetesClient, subject: ClientUnderTest) => Promise<void>;
  const play = (story: Story) => async (): Promise<void> => {
    const subject = await createSubject();
    await subject.finish(story(subject.client, subject));
  };
  const fact = (sentence: string, story: Story) => test(sentence, play(story));
  /** A limit is a fact as well: when the server can do it, this fails, and the limit has to go. */
  const factUnless = (limit: ServerLimit, sentence: string, story: Story) =>
    limits[limit] === undefined
      ? fact(sentence, story)
      : test.fails(`${sentence}: not here (${limits[limit]})`, play(story));

  describe(`${name}: reads`, () => {
    fact('an object that is not there is undefined', async (client) => {
      expect(await client.get(nodes, { name: 'absent' })).toBeUndefined();
    });

    factUnless('unknown kinds', 'a kind that is not served is an error, not an absent object', async (client) => {
      const unserved = { ...nodes, plural: 'nothings', kind: 'Nothing' };
      expect(await refusalOf(client.get(unserved, { name: 'a' }))).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    fact('an object comes as it was stored, with its kind, version and uid', async (client) => {
      const created = await client.create(nodes, aNodeNamed('a', { zone: 'x' }));
      const found = await client.get<Node>(nodes, { name: 'a' });
      expect(found).toEqual(created);
      expect(found).toMatchObject({ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a', labels: { zone: 'x' } } });
      expect([created.metadata.uid, created.metadata.resourceVersion]).toEqual([
        expect.stringMatching(/./),
        expect.stringMatching(/^\d+$/),
      ]);
    });

    fact('a list is sorted by name, and every item has its kind', async (client) => {
      for (const each of ['b', 'c', 'a']) await client.create(nodes, aNodeNamed(each));
      const { items } = await client.list(nodes);
      expect(namesOf(items)).toEqual(['a', 'b', 'c']);
      expect(items.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual(Array(3).fill('v1 Node'));
    });

    fact('a list of nothing is empty and has a version to watch from', async (client) => {
      const { items, metadata } = await client.list(nodes);
      expect([items, metadata?.resourceVersion]).toEqual([[], expect.stringMatching(/^\d+$/)]);
    });

    fact('a list without a namespace has the objects of all namespaces', async (client) => {
      await client.create(pods, aPodNamed('p'));
      expect(namesOf((await client.list(pods)).items)).toEqual(['p']);
      expect(namesOf((await client.list(pods, { namespace: 'default' })).items)).toEqual(['p']);
      expect((await client.list(pods, { namespace: 'kube-system' })).items).toEqual([]);
    });

    fact('the pages of a list are those of one moment, whatever changes between them', async (client) => {
      for (const each of ['a', 'b', 'c', 'd', 'e']) await client.create(nodes, aNodeNamed(each));
      const first = await client.list(nodes, { limit: 2 });
      await client.delete(nodes, { name: 'a' });
      await client.create(nodes, aNodeNamed('bb'));
      const second = await client.list(nodes, { limit: 2, ...continueFrom(first) });
      const third = await client.list(nodes, { limit: 2, ...continueFrom(second) });
      expect([first, second, third].map(({ items }) => namesOf(items))).toEqual([['a', 'b'], ['c', 'd'], ['e']]);
      expect(new Set([first, second, third].map(({ metadata }) => metadata?.resourceVersion)).size).toBe(1);
      expect(continueFrom(third)).toEqual({});
    });

    factUnless('selectors', 'selectors choose by labels and by fields', async (client) => {
      await client.create(pods, aPodNamed('web', { app: 'web' }));
      await client.create(pods, aPodNamed('db', { app: 'db' }));
      const chosenBy = async (options: object): Promise<readonly string[]> =>
        namesOf((await client.list(pods, options)).items);
      expect(await chosenBy({ labelSelector: 'app in (web)' })).toEqual(['web']);
      expect(await chosenBy({ fieldSelector: 'metadata.name=db' })).toEqual(['db']);
      expect(await chosenBy({ labelSelector: 'app=web', fieldSelector: 'metadata.name=db' })).toEqual([]);
    });

    factUnless('version', 'the version names major and minor', async (client) => {
      expect(await client.version()).toMatchObject({ major: '1', minor: expect.stringMatching(/^\d+/) });
    });
  });

  describe(`${name}: writes`, () => {
    fact('a second object of a name is refused, and the first stays', async (client) => {
      const first = await client.create(nodes, aNodeNamed('a', { made: 'first' }));
      const refusal = await refusalOf(client.create(nodes, aNodeNamed('a', { made: 'second' })));
      expect(refusal).toMatchObject({ code: 409, reason: 'AlreadyExists', retry: 'soon' });
      expect(await client.get(nodes, { name: 'a' })).toEqual(first);
    });

    fact('an update of what another writer changed is a conflict, and changes nothing', async (client) => {
      const read = await client.create(nodes, aNodeNamed('a'));
      const newer = await client.update(nodes, { ...read, spec: { unschedulable: true } });
      const refusal = await refusalOf(client.update(nodes, { ...read, spec: { unschedulable: false } }));
      expect(refusal).toMatchObject({ code: 409, reason: 'Conflict', retry: 'soon' });
      expect(await client.get(nodes, { name: 'a' })).toEqual(newer);
    });

    fact('every change brings a larger version and keeps the uid', async (client) => {
      const created = await client.create(nodes, aNodeNamed('a'));
      const updated = await client.update(nodes, { ...created, spec: { unschedulable: true } });
      const patched = await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { a: 'b' } } }));
      const versions = [created, updated, patched].map(({ metadata }) => Number(metadata.resourceVersion));
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
      expect(new Set([created, updated, patched].map(({ metadata }) => metadata.uid)).size).toBe(1);
    });

    fact('an update, a patch and a deletion of what is not there are NotFound', async (client) => {
      const absent = { name: 'absent' };
      const refusals = [
        await refusalOf(client.update(nodes, aNodeNamed('absent'))),
        await refusalOf(client.patch(nodes, absent, mergePatch({ spec: {} }))),
        await refusalOf(client.delete(nodes, absent)),
      ];
      for (const refusal of refusals)
        expect(refusal).toMatchObject({ code: 404, reason: 'NotFound', retry: 'backOff' });
    });

    fact('a merge patch changes what it names, at any depth, and removes what it sets to null', async (client) => {
      await client.create(nodes, aNodeNamed('a', { kept: '1', removed: '2', changed: '3' }));
      const patch = { metadata: { labels: { removed: null, changed: '4', added: '5' } } };
      const patched = await client.patch(nodes, { name: 'a' }, mergePatch(patch));
      expect(patched.metadata.labels).toEqual({ kept: '1', changed: '4', added: '5' });
    });

    fact('a patch with the version of an older object is a conflict, and changes nothing', async (client) => {
      const read = await client.create(nodes, aNodeNamed('a'));
      const newer = await client.update(nodes, { ...read, spec: { unschedulable: true } });
      const { resourceVersion } = read.metadata;
      const patch = { metadata: { resourceVersion }, spec: { unschedulable: null } };
      const refusal = await refusalOf(client.patch(nodes, { name: 'a' }, mergePatch(patch)));
      expect(refusal).toMatchObject({ code: 409, reason: 'Conflict' });
      expect(await client.get(nodes, { name: 'a' })).toEqual(newer);
    });

    factUnless('json patches', 'a JSON patch whose test fails changes nothing', async (client) => {
      const created = await client.create(nodes, aNodeNamed('a', { owner: 'x' }));
      const patch = [
        { op: 'replace', path: '/metadata/labels/owner', value: 'z' },
        { op: 'test', path: '/metadata/labels/owner', value: 'y' },
      ];
      await refusalOf(client.patch(nodes, { name: 'a' }, { type: 'json', patch }));
      expect(await client.get(nodes, { name: 'a' })).toEqual(created);
    });

    fact('a deletion whose preconditions do not hold is a conflict, and deletes nothing', async (client) => {
      const created = await client.create(nodes, aNodeNamed('a'));
      const refusal = await refusalOf(client.delete(nodes, { name: 'a' }, { preconditions: { uid: 'another' } }));
      expect(refusal).toMatchObject({ code: 409, reason: 'Conflict', retry: 'soon' });
      expect(await client.get(nodes, { name: 'a' })).toEqual(created);
    });

    fact('a deletion whose preconditions hold deletes, and the name is free', async (client) => {
      const { metadata } = await client.create(nodes, aNodeNamed('a'));
      const { uid = '', resourceVersion = '' } = metadata;
      await client.delete(nodes, { name: 'a' }, { preconditions: { uid, resourceVersion } });
      expect(await client.get(nodes, { name: 'a' })).toBeUndefined();
      const again = await client.create(nodes, aNodeNamed('a'));
      expect(again.metadata.uid).not.toBe(uid);
    });

    factUnless('dry runs', 'a dry run answers as the call would, and stores nothing', async (client) => {
      const answer = await client.create(nodes, aNodeNamed('a'), { dryRun: true });
      expect(answer.metadata.name).toBe('a');
      expect(await client.get(nodes, { name: 'a' })).toBeUndefined();
    });

    factUnless('subresources', 'a write of the status leaves the rest, and the other way round', async (client) => {
      const created = await client.create(pods, aPodNamed('p', { kept: 'yes' }));
      const patch = { metadata: { labels: { kept: 'no' } }, status: { phase: 'Running' } };
      const told = await client.patch<Pod>(pods, podKey('p'), mergePatch(patch), { subresource: 'status' });
      expect([told.status?.phase, told.spec]).toEqual(['Running', created.spec]);
      const labels = { metadata: { labels: { kept: 'no' } }, status: { phase: 'Failed' } };
      const renamed = await client.patch<Pod>(pods, podKey('p'), mergePatch(labels));
      expect([renamed.status?.phase, renamed.metadata.labels]).toEqual(['Running', { kept: 'no' }]);
    });

    factUnless(
      'no-op writes',
      'a write that changes nothing keeps the version, and no watch tells of it',
      async (client) => {
        const created = await client.create(nodes, aNodeNamed('a', { zone: 'x' }));
        const { resourceVersion = '' } = created.metadata;
        const same = await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { zone: 'x' } } }));
        expect(same.metadata.resourceVersion).toBe(resourceVersion);
        expect((await client.update(nodes, created)).metadata.resourceVersion).toBe(resourceVersion);
        await client.create(nodes, aNodeNamed('b'));
        const [first] = await takeEvents(client, { resourceVersion }, 1);
        expect(first).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'b' } } });
      },
    );

    factUnless('generations', 'the generation counts changes of the specification alone', async (client) => {
      const created = await client.create(podDisruptionBudgets, aBudget(1));
      const labelled = mergePatch({ metadata: { labels: { a: 'b' } } });
      const told = mergePatch({ status: { disruptionsAllowed: 1 } });
      const generations = [
        created,
        await client.patch(podDisruptionBudgets, podKey('budget'), labelled),
        await client.patch(podDisruptionBudgets, podKey('budget'), told, { subresource: 'status' }),
        await client.patch(podDisruptionBudgets, podKey('budget'), mergePatch({ spec: { minAvailable: 2 } })),
      ].map(({ metadata }) => metadata.generation);
      expect(generations).toEqual([1, 1, 1, 2]);
    });

    factUnless('finalizers', 'an object with a finalizer goes when its last one does', async (client) => {
      const object = { metadata: { name: 'a', finalizers: ['example.com/one', 'example.com/two'] } };
      const { metadata } = await client.create(nodes, object);
      await client.delete(nodes, { name: 'a' });
      const going = await client.get(nodes, { name: 'a' });
      expect(going?.metadata).toMatchObject({ uid: metadata.uid, deletionTimestamp: expect.any(String) });
      const one = await client.patch(
        nodes,
        { name: 'a' },
        mergePatch({ metadata: { finalizers: ['example.com/two'] } }),
      );
      expect(one.metadata.deletionTimestamp).toBe(going?.metadata.deletionTimestamp);
      await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { finalizers: null } }));
      expect(await client.get(nodes, { name: 'a' })).toBeUndefined();
      const [gone] = await takeEvents(client, { resourceVersion: one.metadata.resourceVersion ?? '' }, 1, 'DELETED');
      expect(gone?.object.metadata.uid).toBe(metadata.uid);
    });

    factUnless('generated names', 'a name is made for an object that has but a beginning of one', async (client) => {
      const { name: _name, ...metadata } = aPodNamed('').metadata;
      const made = async (): Promise<Pod> =>
        client.create(pods, { ...aPodNamed(''), metadata: { ...metadata, name: '', generateName: 'web-' } });
      const names = [(await made()).metadata.name, (await made()).metadata.name];
      for (const name of names) expect(name).toMatch(/^web-[a-z0-9]{5}$/);
      expect(new Set(names).size).toBe(2);
    });

    factUnless('grace periods', 'a pod on a node has its time to end, unless it is refused one', async (client) => {
      const placed = { ...aPodNamed('p'), spec: { ...aPodNamed('p').spec, nodeName: 'a' } };
      await client.create(pods, placed);
      await client.delete(pods, podKey('p'), { gracePeriodSeconds: 20 });
      const going = await client.get(pods, podKey('p'));
      expect(going?.metadata).toMatchObject({ deletionGracePeriodSeconds: 20, deletionTimestamp: expect.any(String) });
      await client.delete(pods, podKey('p'), { gracePeriodSeconds: 0 });
      expect(await client.get(pods, podKey('p'))).toBeUndefined();
    });

    factUnless(
      'validation',
      'a refused object names every field that is wrong, and nothing is stored',
      async (client) => {
        const wrong = { ...aPodNamed('p'), spec: { containers: [{ name: 'Main!', image: '' }] } };
        const refusal = await refusalOf(client.create(pods, wrong));
        expect(refusal).toMatchObject({ code: 422, reason: 'Invalid', retry: 'backOff' });
        const fields = (refusal.status.details?.causes ?? []).map(({ field }) => field);
        expect(fields).toEqual(expect.arrayContaining(['spec.containers[0].image', 'spec.containers[0].name']));
        expect(await client.get(pods, podKey('p'))).toBeUndefined();
      },
    );

    factUnless('validation', 'an object gets the defaults of its kind', async (client) => {
      const { spec, status } = await client.create<Pod>(pods, aPodNamed('p'));
      expect([spec.restartPolicy, spec.schedulerName]).toEqual(['Always', 'default-scheduler']);
      expect(status).toMatchObject({ phase: 'Pending', qosClass: 'BestEffort' });
    });

    factUnless('json patches', 'a strategic patch merges lists by the key of their items', async (client) => {
      const [first, second] = ['True', 'False'].map((status, index) => ({ type: `C${index}`, status }));
      await client.create(nodes, { ...aNodeNamed('a'), status: { conditions: [first, second] } } as Node);
      const patch = { status: { conditions: [{ type: 'C1', status: 'True' }] } };
      const patched = await client.patch<Node>(
        nodes,
        { name: 'a' },
        { type: 'strategic', patch },
        { subresource: 'status' },
      );
      expect(patched.status?.conditions?.map(({ type, status }) => `${type} ${status}`)).toEqual([
        'C0 True',
        'C1 True',
      ]);
    });

    fact('what a caller gives stays his own', async (client) => {
      const labels: Record<string, string> = { a: 'b' };
      const created = await client.create(nodes, aNodeNamed('a', labels));
      labels['a'] = 'c';
      expect(created.metadata.labels).toEqual({ a: 'b' });
      expect((await client.get(nodes, { name: 'a' }))?.metadata.labels).toEqual({ a: 'b' });
    });

    factUnless('bindings', 'a pod is bound once', async (client) => {
      await client.create(pods, aPodNamed('p'));
      await client.bind(podKey('p'), 'a');
      expect(await client.get<Pod>(pods, podKey('p'))).toMatchObject({ spec: { nodeName: 'a' } });
      expect(await refusalOf(client.bind(podKey('p'), 'b'))).toMatchObject({ code: 409 });
      expect(await client.get<Pod>(pods, podKey('p'))).toMatchObject({ spec: { nodeName: 'a' } });
    });

    factUnless('evictions', 'an eviction ends the pod, that of an absent pod is NotFound', async (client) => {
      await client.create(pods, aPodNamed('p'));
      await client.evict(podKey('p'));
      expect(await client.get(pods, podKey('p'))).toBeUndefined();
      expect(await refusalOf(client.evict(podKey('p')))).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    factUnless(
      'evictions',
      'an eviction that a budget forbids is refused, the next one that it allows ends the pod',
      async (client) => {
        await client.create(pods, aPodNamed('p', { app: 'web' }));
        await client.patch(pods, podKey('p'), mergePatch(readyStatus), { subresource: 'status' });
        await client.create(podDisruptionBudgets, aBudget(1));
        const allow = async (disruptionsAllowed: number) => {
          const status = { observedGeneration: 1, disruptionsAllowed, currentHealthy: 1, desiredHealthy: 1 };
          await client.patch(podDisruptionBudgets, podKey('budget'), mergePatch({ status }), { subresource: 'status' });
        };
        await allow(0);
        expect(await refusalOf(client.evict(podKey('p')))).toMatchObject({ code: 429, reason: 'TooManyRequests' });
        expect((await client.get(pods, podKey('p')))?.metadata.deletionTimestamp).toBeUndefined();
        await allow(1);
        await client.evict(podKey('p'));
        expect(await client.get(pods, podKey('p'))).toBeUndefined();
        const spent = await client.get<PodDisruptionBudget>(podDisruptionBudgets, podKey('budget'));
        expect(spent?.status?.disruptionsAllowed).toBe(0);
      },
    );
  });

  describe(`${name}: watches`, () => {
    fact('a watch from the version of a list tells of every change since, in order', async (client) => {
      await client.create(nodes, aNodeNamed('old'));
      const { metadata } = await client.list(nodes);
      await makeThreeChanges(client);
      const events = await takeEvents(client, { resourceVersion: metadata?.resourceVersion ?? '' }, 3);
      expect(events.map(({ type, object }) => `${type} ${object.metadata.name}`)).toEqual([
        'ADDED a',
        'MODIFIED a',
        'DELETED a',
      ]);
      const versions = events.map(({ object }) => Number(object.metadata.resourceVersion));
      expect(versions).toEqual([...new Set(versions)].toSorted((a, b) => a - b));
    });

    fact('a watch that resumes at an event tells of what came after it', async (client) => {
      const { metadata } = await client.list(nodes);
      await makeThreeChanges(client);
      const [first] = await takeEvents(client, { resourceVersion: metadata?.resourceVersion ?? '' }, 1);
      const rest = await takeEvents(client, { resourceVersion: first?.object.metadata.resourceVersion ?? '' }, 2);
      expect(rest.map(({ type }) => type)).toEqual(['MODIFIED', 'DELETED']);
    });

    fact('a deletion comes with the last state of the object and a version of its own', async (client) => {
      const { metadata } = await client.create(nodes, aNodeNamed('a', { zone: 'x' }));
      await client.delete(nodes, { name: 'a' });
      const [event] = await takeEvents(client, { resourceVersion: metadata.resourceVersion ?? '' }, 1);
      expect(event).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'a', labels: { zone: 'x' } } } });
      expect(Number(event?.object.metadata.resourceVersion)).toBeGreaterThan(Number(metadata.resourceVersion));
    });

    fact('a watch of a namespace tells of its objects alone, one of all namespaces of all', async (client) => {
      const { metadata } = await client.list(pods);
      const resourceVersion = metadata?.resourceVersion ?? '';
      await client.create(pods, aPodNamed('p'));
      for (const where of [{}, { namespace: 'default' }]) {
        const watch = client.watch(pods, { ...where, resourceVersion })[Symbol.asyncIterator]();
        expect(await watch.next()).toMatchObject({ value: { type: 'ADDED', object: { metadata: podKey('p') } } });
        await watch.return?.();
      }
    });

    factUnless('selectors', 'an object that begins or ceases to match comes or goes', async (client) => {
      const { metadata } = await client.create(nodes, aNodeNamed('a'));
      await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { on: 'x' } } }));
      await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { on: null } } }));
      const options = { resourceVersion: metadata.resourceVersion ?? '', labelSelector: 'on' };
      expect((await takeEvents(client, options, 2)).map(({ type }) => type)).toEqual(['ADDED', 'DELETED']);
    });

    factUnless('selectors', 'a watch by field tells of the objects with that value alone', async (client) => {
      const { metadata } = await client.list(pods);
      const resourceVersion = metadata?.resourceVersion ?? '';
      for (const name of ['p', 'q']) await client.create(pods, aPodNamed(name));
      await client.bind(podKey('q'), 'a');
      await client.bind(podKey('p'), 'b');
      const watch = client.watch(pods, { resourceVersion, fieldSelector: 'spec.nodeName=b' })[Symbol.asyncIterator]();
      expect(await watch.next()).toMatchObject({ value: { type: 'ADDED', object: { metadata: podKey('p') } } });
      await watch.return?.();
    });

    fact('each of several watches tells of every change, also of those that come while it waits', async (client) => {
      const { metadata } = await client.list(nodes);
      const resourceVersion = metadata?.resourceVersion ?? '';
      const watches = [1, 2, 3].map(() => takeEvents(client, { resourceVersion }, 3));
      await makeThreeChanges(client);
      for (const events of await Promise.all(watches)) {
        expect(events.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED']);
      }
    });

    fact('a watch that ends in time is resumed without a gap', async (client) => {
      const { metadata } = await client.list(nodes);
      const seen: string[] = [];
      let resourceVersion = metadata?.resourceVersion ?? '';
      for (const name of ['a', 'b', 'c']) {
        await client.create(nodes, aNodeNamed(name));
        const [event] = await takeEvents(client, { resourceVersion }, 1);
        seen.push(event?.object.metadata.name ?? '');
        resourceVersion = event?.object.metadata.resourceVersion ?? '';
      }
      expect(seen).toEqual(['a', 'b', 'c']);
    });

    fact('a watch from a version that the server has forgotten is refused with 410', async (client, { compact }) => {
      const { metadata } = await client.create(nodes, aNodeNamed('a'));
      await client.create(nodes, aNodeNamed('b'));
      compact();
      expect(await codeOfWatch(client, metadata.resourceVersion ?? '')).toBe(410);
    });

    fact('a watch ends with the reason of its signal, when it is aborted before and while it waits', async (client) => {
      const { metadata } = await client.list(nodes);
      const resourceVersion = metadata?.resourceVersion ?? '';
      const before = client.watch(nodes, { resourceVersion, signal: AbortSignal.abort(new Error('no need')) });
      await expect(before[Symbol.asyncIterator]().next()).rejects.toThrow('no need');
      const stopping = new AbortController();
      const watch = client.watch(nodes, { resourceVersion, signal: stopping.signal })[Symbol.asyncIterator]();
      const next = watch.next();
      await client.list(nodes);
      stopping.abort(new Error('stopping'));
      await expect(next).rejects.toThrow('stopping');
    });
  });
}

const readyStatus = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };

const mergePatch = (patch: object) => ({ type: 'merge', patch }) as const;

const continueFrom = ({ metadata }: { readonly metadata?: { readonly continue?: string } }): { continue?: string } =>
  metadata?.continue === undefined || metadata.continue === '' ? {} : { continue: metadata.continue };

async function makeThreeChanges(client: KubernetesClient): Promise<void> {
  await client.create(nodes, aNodeNamed('a'));
  await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { a: 'b' } } }));
  await client.delete(nodes, { name: 'a' });
}

type NodeEvent = Exclude<WatchEvent<Node>, { readonly type: 'ERROR' }>;

/** The first events of a watch of nodes, without bookmarks; with a type, the first of that type. */
async function takeEvents(
  client: KubernetesClient,
  options: Parameters<KubernetesClient['watch']>[1],
  count: number,
  wanted?: NodeEvent['type'],
): Promise<readonly NodeEvent[]> {
  const taken: NodeEvent[] = [];
  for await (const event of client.watch<Node>(nodes, options)) {
    if (event.type === 'ERROR') throw new ApiError(event.object);
    if (event.type !== 'BOOKMARK' && (wanted ?? event.type) === event.type) taken.push(event);
    if (taken.length === count) break;
  }
  return taken;
}

/** The status code that a watch is refused with, as an answer or as an event. */
async function codeOfWatch(client: KubernetesClient, resourceVersion: string): Promise<number | undefined> {
  try {
    for await (const event of client.watch(nodes, { resourceVersion })) {
      return event.type === 'ERROR' ? event.object.code : undefined;
    }
    return undefined;
  } catch (error) {
    return error instanceof ApiError ? error.code : undefined;
  }
}
