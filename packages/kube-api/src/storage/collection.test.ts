import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiObject } from './api-object.ts';
import { StoredCollection } from './collection.ts';

const nodeOf = (object: ApiObject): string => (object['node'] as string | undefined) ?? '';
const textOf = ({ metadata, ...object }: ApiObject): string =>
  `${metadata.namespace}/${metadata.name} ${nodeOf(object as ApiObject)}`;

const aPod = fc.record({
  namespace: fc.constantFrom('a', 'b', 'ab'),
  name: fc.constantFrom('1', '2', '10', 'x'),
  node: fc.constantFrom('', 'n1', 'n2'),
});
const aChange = fc.record({ pod: aPod, isRemoval: fc.boolean() });

test('pages and look-ups by a field agree with the whole list, whatever was written before and after the first of them', () => {
  fc.assert(
    fc.property(fc.array(aChange), fc.array(aChange), fc.integer({ min: 1, max: 5 }), (first, then, limit) => {
      const collection = new StoredCollection(10);
      const there = new Map<string, ApiObject>();
      let revision = 0;
      const write = ({ pod: { name, namespace, node }, isRemoval }: (typeof first)[number]): void => {
        const object: ApiObject = { kind: 'Pod', apiVersion: 'v1', metadata: { name, namespace }, node };
        const previous = collection.get({ name, namespace });
        if (isRemoval && previous === undefined) return;
        const type = isRemoval ? 'DELETED' : previous === undefined ? 'ADDED' : 'MODIFIED';
        collection.apply({ type, revision: (revision += 1), object, ...(previous && { previous }) });
        if (isRemoval) there.delete(`${namespace}/${name}`);
        else there.set(`${namespace}/${name}`, object);
      };
      first.forEach(write);
      collection.withField('node', 'n1', nodeOf);
      collection.list();
      then.forEach(write);
      const all = collection.list();
      expect(all.map(textOf)).toEqual([...there.values()].map(textOf).toSorted());
      expect(collection.withField('node', 'n1', nodeOf)).toEqual(all.filter((object) => nodeOf(object) === 'n1'));
      for (const namespace of ['', 'a', 'b', 'ab']) {
        const within = collection.list(namespace);
        const { objects, following } = collection.page(limit, namespace);
        expect([...objects, ...within.slice(limit)]).toEqual(within);
        expect(following).toBe(Math.max(0, within.length - limit));
      }
    }),
  );
});
