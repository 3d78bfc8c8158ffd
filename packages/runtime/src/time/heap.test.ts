import { inOrder, byNumberOf } from '@nodewright/apis';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { Heap } from './heap.ts';

type Item = { position: number; readonly rank: number; readonly order: number };

const comesBefore = (a: Item, b: Item): boolean => (a.rank === b.rank ? a.order < b.order : a.rank < b.rank);
const items = (ranks: readonly number[]): readonly Item[] =>
  ranks.map((rank, order) => ({ position: -1, rank, order }));

function drain(heap: Heap<Item>): readonly Item[] {
  const taken: Item[] = [];
  for (let item = heap.pop(); item !== undefined; item = heap.pop()) taken.push(item);
  return taken;
}

const sorted = (some: readonly Item[]): readonly Item[] =>
  some.toSorted(
    inOrder(
      byNumberOf(({ rank }) => rank),
      byNumberOf(({ order }) => order),
    ),
  );

test('a heap gives its items back in order, equal ones as they came', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), (ranks) => {
      const all = items(ranks);
      const heap = new Heap(comesBefore);
      for (const item of all) heap.push(item);
      expect(drain(heap)).toEqual(sorted(all));
    }),
  );
});

test('an item taken out of the middle is gone, and nothing else is', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 99 }), fc.boolean())), (entries) => {
      const all = items(entries.map(([rank]) => rank));
      const heap = new Heap(comesBefore);
      for (const item of all) heap.push(item);
      const leaving = all.filter((_, index) => entries[index]?.[1]);
      expect(leaving.map((item) => heap.remove(item))).toEqual(leaving.map(() => true));
      expect(leaving.map((item) => heap.remove(item))).toEqual(leaving.map(() => false));
      expect(drain(heap)).toEqual(sorted(all.filter((item) => !leaving.includes(item))));
    }),
  );
});
