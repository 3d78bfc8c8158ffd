import type { NodeRow } from '@nodewright/dashboard/rows';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { CellSlots, countColumns, splitIntoBlocks } from './cell-slots.ts';

const aRow = (id: string): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: '',
  pods: 0,
  cpuPercent: 0,
  memoryPercent: 0,
  explain: `node/${id}`,
});

const rowsOf = (ids: string): readonly NodeRow[] => ids.split('').map(aRow);
/** The places of rows after those of others. */
function fillAfter(before: readonly NodeRow[], nodes: readonly NodeRow[]): readonly NodeRow[] {
  const slots = new CellSlots<NodeRow>();
  slots.fill(before);
  return slots.fill(nodes);
}

const idsOf = (rows: readonly NodeRow[]): string => rows.map(({ id }) => id).join('');

test.each([
  { fact: 'nodes stand as they come at first', before: '', nodes: 'abc', after: 'abc' },
  { fact: 'a new node takes the place of one that is gone', before: 'abcd', nodes: 'acdx', after: 'axcd' },
  { fact: 'further new nodes stand at the end', before: 'abc', nodes: 'awxy', after: 'awxy' },
  { fact: 'the last ones take the places of those that are gone', before: 'abcdef', nodes: 'cdef', after: 'efcd' },
  { fact: 'nothing is left of a group without nodes', before: 'abc', nodes: '', after: '' },
])('$fact', ({ before, nodes, after }) => {
  expect(idsOf(fillAfter(rowsOf(before), rowsOf(nodes)))).toBe(after);
});

test('every node has one place, and a replacement moves no other node', () => {
  const someIds = fc.uniqueArray(fc.constantFrom(...'abcdefghijklmnop'.split('')));
  fc.assert(
    fc.property(someIds, someIds, (before, after) => {
      const slots = fillAfter(rowsOf(before.join('')), rowsOf(after.join('')));
      expect(idsOf(slots).split('').toSorted()).toEqual(after.toSorted());
      const isGrowing = after.length >= before.length;
      if (!isGrowing) return;
      before.forEach((id, index) => after.includes(id) && expect(slots[index]?.id).toBe(id));
    }),
  );
});

test('places last through any number of readings', () => {
  const someIds = fc.uniqueArray(fc.constantFrom(...'abcdefgh'.split('')));
  fc.assert(
    fc.property(fc.array(someIds), (readings) => {
      const slots = new CellSlots<NodeRow>();
      let before = '';
      for (const ids of readings) {
        const after = idsOf(slots.fill(rowsOf(ids.join(''))));
        expect(after).toBe(idsOf(fillAfter(rowsOf(before), rowsOf(ids.join('')))));
        before = after;
      }
    }),
  );
});

test('a node has its newest row', () => {
  const [a] = fillAfter(rowsOf('ab'), [{ ...aRow('a'), pods: 3 }, aRow('b')]);
  expect(a?.pods).toBe(3);
});

test('blocks have whole rows', () => {
  const columns = countColumns(70, 20, 3);
  expect(columns).toBe(3);
  const blocks = splitIntoBlocks(
    Array.from({ length: 50 }, (_, index) => aRow(`n${index}`)),
    columns,
  );
  expect(blocks.map(({ length }) => length)).toEqual([24, 24, 2]);
  expect(splitIntoBlocks([], 3)).toEqual([]);
  expect(splitIntoBlocks([1, 2, 3], 1, 0)).toEqual([]);
  expect(countColumns(5, 20, 3)).toBe(1);
});
