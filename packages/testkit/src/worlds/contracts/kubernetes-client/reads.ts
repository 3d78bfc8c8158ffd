import { nodes, podDisruptionBudgets, pods, type Node } from '@nodewright/apis';
import { describe, expect } from 'vitest';
import { aNodeNamed, aPodNamed, namesOf, refusalOf, type ClientFacts } from './client-facts.ts';

export function describeClientReads(name: string, { fact, factUnless }: ClientFacts): void {
  describe(`${name}: reads`, () => {
    fact('an object that is not there is undefined', async (client) => {
      expect(await client.get(nodes, { name: 'absent' })).toBeUndefined();
    });

    factUnless('unknown kinds', 'a kind that is not served is an error, not an absent object', async (client) => {
      const unserved = { ...nodes, plural: 'nothings', kind: 'Nothing' };
      expect(await refusalOf(client.get(unserved, { name: 'a' }))).toMatchObject({ code: 404, reason: 'NotFound' });
    });

    factUnless('unknown kinds', 'it is known which kinds are served', async (client) => {
      const kinds = [
        nodes,
        podDisruptionBudgets,
        { ...nodes, plural: 'nothings' },
        { ...podDisruptionBudgets, group: 'nothing.example' },
      ];
      expect(await Promise.all(kinds.map((kind) => client.serves(kind)))).toEqual([true, true, false, false]);
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
}

const continueFrom = ({ metadata }: { readonly metadata?: { readonly continue?: string } }): { continue?: string } =>
  metadata?.continue === undefined || metadata.continue === '' ? {} : { continue: metadata.continue };
