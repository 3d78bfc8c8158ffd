import { expect, test } from 'vitest';
import { listHistoryAmounts } from './history-curves.ts';
import type { TrackedRow } from './history-rows.ts';

const begin = '2024-02-01T00:00:00Z';
const [later, last] = ['2024-02-01T01:00:00Z', '2024-02-01T02:00:00Z'];
const node: TrackedRow = { track: 'nodes', id: 'a', words: 'ready', stage: 'ready', microUsdPerHour: 68_000 };
const { microUsdPerHour: _price, ...unpriced } = node;

test('a node whose price is not known for a while costs what it did', () => {
  const entries = [
    { at: later, track: 'nodes', id: 'a', row: { ...unpriced, words: 'to move' } },
    { at: last, track: 'nodes', id: 'a', row: { ...unpriced, words: 'leaving' } },
  ] as const;
  const costs = listHistoryAmounts(begin, [node], entries).map(({ microUsdPerHour }) => microUsdPerHour);
  expect(costs).toEqual([68_000, 68_000, 68_000]);
});

test('a node that is gone costs nothing, and one whose price was never known adds nothing', () => {
  const entries = [
    { at: later, track: 'nodes', id: 'b', row: { ...unpriced, id: 'b' } },
    { at: last, track: 'nodes', id: 'a' },
  ] as const;
  const amounts = listHistoryAmounts(begin, [node], entries);
  expect(amounts.map(({ nodes, microUsdPerHour }) => [nodes, microUsdPerHour])).toEqual([
    [1, 68_000],
    [2, 68_000],
    [1, 0],
  ]);
});
