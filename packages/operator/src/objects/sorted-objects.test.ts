import { byTextOf } from '@nodewright/apis';
import { array, assert, constantFrom, constant, nat, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { SortedObjects } from './sorted-objects.ts';

const key = constantFrom('a', 'b', 'b/c', 'd', 'e');
const step = oneof(
  record({ kind: constant('set' as const), key, value: nat() }),
  record({ kind: constant('delete' as const), key }),
  record({ kind: constant('list' as const) }),
);

test('lists are in the order of keys, and a list that was given stays as it is', () => {
  assert(
    property(array(step), (steps) => {
      const [objects, model] = [new SortedObjects<number>(), new Map<string, number>()];
      const given: { readonly list: readonly number[]; readonly was: readonly number[] }[] = [];
      for (const each of steps) {
        if (each.kind === 'set') {
          objects.set(each.key, each.value);
          model.set(each.key, each.value);
        } else if (each.kind === 'delete') {
          objects.delete(each.key);
          model.delete(each.key);
        } else given.push({ list: objects.list(), was: [...objects.list()] });
        expect(objects.size).toBe(model.size);
      }
      const expected = [...model].toSorted(byTextOf(([key]) => key)).map(([, value]) => value);
      expect(objects.list()).toEqual(expected);
      for (const { list, was } of given) expect(list).toEqual(was);
    }),
  );
});

test('the list is the same as long as nothing changes', () => {
  const objects = new SortedObjects<number>();
  objects.set('a', 1);
  expect(objects.list()).toBe(objects.list());
  objects.delete('b');
  const before = objects.list();
  expect(objects.list()).toBe(before);
  objects.set('b', 2);
  expect(objects.list()).not.toBe(before);
});
