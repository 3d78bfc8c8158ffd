import type { NodeRow } from '@nodewright/dashboard/rows';
import { describe, expect, test } from 'vitest';
import { colourFleet, fleetColourings } from './fleet-colours.ts';

const at = '2024-03-01T12:00:00Z';
const aRow = (id: string, traits: Partial<NodeRow> = {}): NodeRow => ({
  id,
  group: 'NodePool/default',
  stage: 'ready',
  answer: '',
  pods: 0,
  cpuPercent: 0,
  memoryPercent: 0,
  explain: `node/${id}`,
  ...traits,
});

describe('cells are coloured', () => {
  const legendOf = (nodes: readonly NodeRow[], colouring: (typeof fleetColourings)[number]) =>
    colourFleet(nodes, colouring, at).legend.map(({ words, count }) => `${words}: ${count}`);

  test('by health, the most urgent first in the legend', () => {
    expect(legendOf([aRow('a'), aRow('b'), aRow('c', { stage: 'troubled' })], 'health')).toEqual([
      'not working: 1',
      'ready: 2',
    ]);
  });

  test('by image, the most frequent with colours of their own', () => {
    const nodes = Array.from({ length: 12 }, (_, index) => aRow(`n${index}`, { release: `v${index % 9}` }));
    const legend = legendOf(nodes, 'image');
    expect(legend.slice(0, 3)).toEqual(['v0: 2', 'v1: 2', 'v2: 2']);
    expect(legend.at(-1)).toBe('others: 2');
    expect(legendOf([aRow('a')], 'image')).toEqual(['unknown: 1']);
  });

  test('by age and price, in steps', () => {
    const nodes = [
      aRow('a', { createdAt: '2024-03-01T11:00:00Z', microUsdPerHour: 49_999 }),
      aRow('b', { createdAt: '2023-03-01T11:00:00Z', microUsdPerHour: 50_000 }),
      aRow('c'),
    ];
    expect(legendOf(nodes, 'age')).toEqual(['less than a day: 1', '90 days and more: 1', 'unknown: 1']);
    expect(legendOf(nodes, 'price')).toEqual([
      'less than $0.050 an hour: 1',
      'less than $0.150 an hour: 1',
      'unknown: 1',
    ]);
  });

  test('in every way with as many cells as the legend counts', () => {
    const nodes = [
      aRow('a'),
      aRow('b', { stage: 'leaving', drift: { reason: 'AMIDrift' } }),
      aRow('c', { release: 'v1' }),
    ];
    for (const colouring of fleetColourings) {
      const { classOf, legend } = colourFleet(nodes, colouring, at);
      for (const { className, count } of legend)
        expect(nodes.filter((node) => classOf(node) === className)).toHaveLength(count);
      expect(legend.reduce((sum, { count }) => sum + count, 0)).toBe(nodes.length);
    }
  });
});
