import { nodes, pods, byNumber } from '@nodewright/apis';
import { ApiError, type KubernetesClient } from '@nodewright/runtime';
import { describe, expect } from 'vitest';
import { aNodeNamed, aPodNamed, podKey, mergePatch, takeEvents, type ClientFacts } from './client-facts.ts';

export function describeClientWatches(name: string, { fact, factUnless }: ClientFacts): void {
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
      expect(versions).toEqual([...new Set(versions)].toSorted(byNumber));
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

async function makeThreeChanges(client: KubernetesClient): Promise<void> {
  await client.create(nodes, aNodeNamed('a'));
  await client.patch(nodes, { name: 'a' }, mergePatch({ metadata: { labels: { a: 'b' } } }));
  await client.delete(nodes, { name: 'a' });
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
