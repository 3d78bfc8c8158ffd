import { array, assert, boolean, property, subarray } from 'fast-check';
import { expect, test } from 'vitest';
import { filterPerItem, latestPerItem, oncePerItem } from './once-per-item.ts';

type Named = { readonly name: string };
const all: readonly Named[] = Array.from({ length: 100 }, (_, number) => ({ name: `${number}` }));

test('values are those of the items, whatever lists came before', () => {
  const lists = array(subarray([...all]), { maxLength: 6 });
  assert(
    property(lists, boolean(), (asked, isTurned) => {
      const upper = oncePerItem(({ name }: Named) => `node ${name}`);
      for (const list of asked.map((each) => (isTurned ? each.toReversed() : each)))
        expect(upper(list)).toEqual(list.map(({ name }) => `node ${name}`));
    }),
  );
});

test('an item is worked out once, and the values of one list are one object', () => {
  const calls: string[] = [];
  const lengths = oncePerItem(({ name }: Named) => calls.push(name));
  const [a, b, c, d] = [{ name: 'a' }, { name: 'b' }, { name: 'c' }, { name: 'd' }] as const;
  const list = [a, b, c];
  expect(lengths(list)).toBe(lengths(list));
  lengths([a, c]);
  lengths([d, a, b, c]);
  lengths([c, d]);
  expect(calls).toEqual(['a', 'b', 'c', 'd']);
});

test('a filter answers one list with one object', () => {
  const odd = filterPerItem(({ name }: Named) => Number(name) % 2 === 1);
  expect(odd(all)).toBe(odd(all));
  expect(odd(all.slice(0, 4)).map(({ name }) => name)).toEqual(['1', '3']);
});

test('other dependencies make other values, equal ones do not', () => {
  const calls: string[] = [];
  const placed = latestPerItem(
    ({ name }: Named, { pool }: { readonly pool: string }) => {
      calls.push(`${name} ${pool}`);
      return `${name} in ${pool}`;
    },
    (before, now) => before.pool === now.pool,
  );
  const [a, b] = [{ name: 'a' }, { name: 'b' }] as const;
  const list = [a];
  expect(placed(list, { pool: 'x' })).toEqual(['a in x']);
  expect(placed([a, b], { pool: 'x' })).toEqual(['a in x', 'b in x']);
  expect(placed(list, { pool: 'y' })).toEqual(['a in y']);
  expect(placed(list, { pool: 'y' })).toEqual(['a in y']);
  expect(calls).toEqual(['a x', 'b x', 'a y']);
});
