import {
  nodes,
  podDisruptionBudgets,
  type PodDisruptionBudget,
  pods,
  type Node,
  type Pod,
  byNumber,
} from '@nodewright/apis';
import { describe, expect } from 'vitest';
import {
  aNodeNamed,
  aPodNamed,
  aBudget,
  podKey,
  refusalOf,
  mergePatch,
  takeEvents,
  type ClientFacts,
} from './client-facts.ts';

export function describeClientWrites(name: string, { fact, factUnless }: ClientFacts): void {
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
      expect(versions).toEqual([...new Set(versions)].toSorted(byNumber));
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
}

const readyStatus = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
