import { describe, expect, test } from 'vitest';
import type { CheaperWay, SimulationOutlook } from './outlook.ts';
import { printedOutlook } from './print-outlook.ts';

type NewNode = SimulationOutlook['newNodes'][number];

const aNewNode = (traits: Partial<NewNode> = {}): NewNode => ({
  nodePool: 'default',
  instanceTypes: ['m5.large', 'm5.xlarge'],
  zones: ['us-east-1a'],
  capacityTypes: ['spot'],
  requests: { cpu: 1, memory: 2 },
  pods: ['default/web'],
  cheapestPrice: 0.1,
  requirements: [],
  cheaper: [],
  overlaid: [],
  ...traits,
});

const anOutlook = (traits: Partial<SimulationOutlook> = {}): SimulationOutlook => ({
  newNodes: [],
  existing: [],
  errors: [],
  buffers: [],
  idle: [],
  passedOver: [],
  stats: { nodes: 0, totalCheapestPrice: 0 },
  ...traits,
});

const linesOf = (traits: Partial<SimulationOutlook>): readonly string[] =>
  printedOutlook(anOutlook(traits)).split('\n');
const total = '0 new nodes, $0.0000 per hour, 0 pods without a place';

describe('without new nodes', () => {
  test.each<[fact: string, traits: Partial<SimulationOutlook>, lines: readonly string[]]>([
    ['there may be nothing to place', {}, ['There is no pod to place.', total]],
    [
      'pods may go to nodes that are there',
      { existing: [{ node: 'a', pods: ['default/web'] }] },
      ['a takes 1 pod', '', total],
    ],
    [
      'pools may launch nothing',
      {
        passedOver: [{ nodePool: 'default', message: 'it is not ready' }],
        existing: [{ node: 'a', pods: ['p', 'q'] }],
      },
      ['NodePool default launches nothing: it is not ready', 'a takes 2 pods', '', total],
    ],
    [
      'overlays and buffers may change nothing',
      {
        idle: [
          { overlay: 'cheap', message: 'no type fits' },
          { buffer: 'spare', message: 'it has no units' },
        ],
      },
      [
        'NodeOverlay cheap changes nothing: no type fits',
        'CapacityBuffer spare keeps nothing free: it has no units',
        total,
      ],
    ],
  ])('%s', (_, traits, lines) => {
    expect(linesOf(traits)).toEqual(lines);
  });
});

describe('a buffer', () => {
  const buffer = (traits: object) => ({ buffer: 'spare', existing: 0, onNew: 0, failed: 0, ...traits });

  test.each<[counts: object, line: string]>([
    [{ existing: 1 }, 'CapacityBuffer spare: 1 unit, 1 on nodes that are there'],
    [{ onNew: 2 }, 'CapacityBuffer spare: 2 units, 2 on new nodes'],
    [
      { existing: 1, onNew: 2, failed: 3 },
      'CapacityBuffer spare: 6 units, 1 on nodes that are there, 2 on new nodes, 3 nowhere',
    ],
  ])('of %j says where its units go', (counts, line) => {
    expect(linesOf({ buffers: [buffer(counts)] as SimulationOutlook['buffers'] })[0]).toBe(line);
  });
});

describe('a new node', () => {
  const way = (traits: Partial<CheaperWay> = {}): CheaperWay => ({
    constraint: 'zone in us-east-1a',
    of: 'pods',
    types: 1,
    cheapest: 't3.large',
    price: 0.05,
    ...traits,
  });
  const remarksOf = (...newNodes: readonly NewNode[]): readonly string[] => {
    const lines = linesOf({ newNodes });
    return lines.slice(1 + Math.min(40, newNodes.length) + 1, -1);
  };

  test('has a line in a table', () => {
    const [head = '', row = ''] = linesOf({ newNodes: [aNewNode()] });
    expect(head.replaceAll(/ +/g, ' ')).toBe('NODEPOOL CHEAPEST TYPES ZONES CAPACITY CPU MEMORY PODS PER HOUR');
    expect(row.replaceAll(/ +/g, ' ')).toBe('default m5.large 2 us-east-1a spot 1 2 1 $0.1000');
  });

  test('is one of forty that are shown', () => {
    const lines = linesOf({ newNodes: Array.from({ length: 42 }, () => aNewNode()) });
    expect(lines).toHaveLength(1 + 40 + 1 + 1 + 1);
    expect(lines[41]).toBe('and 2 more; -o json tells all');
  });

  test('for which nothing cheaper is known has no remark', () => {
    expect(remarksOf(aNewNode())).toEqual([]);
  });

  test.each<[fact: string, node: Partial<NewNode>, lines: readonly string[]]>([
    [
      'says what keeps it from being cheaper',
      { cheaper: [way()] },
      ['Why not cheaper than default m5.large $0.1000:', '  t3.large $0.0500: zone in us-east-1a', ''],
    ],
    [
      'says how many others would be cheaper, and whose constraint it is',
      { cheaper: [way({ types: 3, of: 'NodePool' })] },
      [
        'Why not cheaper than default m5.large $0.1000:',
        '  t3.large $0.0500 and 2 others: zone in us-east-1a of the NodePool',
        '',
      ],
    ],
    [
      'says one other',
      { cheaper: [way({ types: 2 })] },
      ['Why not cheaper than default m5.large $0.1000:', '  t3.large $0.0500 and 1 other: zone in us-east-1a', ''],
    ],
    [
      'says six constraints, and how many more there are',
      { cheaper: Array.from({ length: 8 }, (_, index) => way({ constraint: `c${index}` })) },
      [
        'Why not cheaper than default m5.large $0.1000:',
        ...[0, 1, 2, 3, 4, 5].map((index) => `  t3.large $0.0500: c${index}`),
        '  and 2 more constraints',
        '',
      ],
    ],
    [
      'says what overlays have changed',
      { overlaid: ['prices by NodeOverlay x'] },
      ['Nothing is cheaper than default m5.large $0.1000 (prices by NodeOverlay x)', ''],
    ],
  ])('%s', (_, node, lines) => {
    expect(remarksOf(aNewNode(node))).toEqual(lines);
  });

  test('shares its remark with its likes, and only three remarks are shown', () => {
    const cheaper = [way()];
    const twins = [aNewNode({ cheaper }), aNewNode({ cheaper })];
    expect(remarksOf(...twins).filter((line) => line.startsWith('Why'))).toHaveLength(1);
    const others = [0.1, 0.2, 0.3, 0.4, 0.5].map((cheapestPrice) => aNewNode({ cheaper, cheapestPrice }));
    const lines = remarksOf(...others);
    expect(lines.filter((line) => line.startsWith('Why'))).toHaveLength(3);
    expect(lines.slice(-2)).toEqual(['and 2 more; -o json tells all', '']);
  });
});

describe('a node that goes', () => {
  const pods = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
  const removed = { node: 'a', pods };
  const noPlace = (pod: string) => ({ pod, message: 'too large' });

  test.each<[fact: string, traits: Partial<SimulationOutlook>, line: string]>([
    ['has no pods', { removed: { node: 'a', pods: [] } }, 'Without node a: nothing has to move'],
    [
      'sends its pods to new nodes, and five are named',
      { removed },
      'Without node a: 6 pods to new nodes (p1, p2, p3, p4, p5, ...)',
    ],
    [
      'sends its pods to three kinds of places',
      {
        removed: { node: 'a', pods: pods.slice(0, 3) },
        existing: [{ node: 'b', pods: ['p1', 'other'] }],
        errors: [noPlace('p2'), noPlace('another')],
      },
      'Without node a: 1 pod to nodes that are there, 1 pod to new nodes, 1 pod nowhere (p1, p2, p3)',
    ],
    [
      'saves its price',
      { removed: { node: 'a', pods: [], price: 0.25 } },
      'Without node a: nothing has to move; $0.2500 per hour less',
    ],
    [
      'costs more than it saves',
      {
        removed: { node: 'a', pods: [], price: 0.1 },
        stats: { nodes: 1, totalCheapestPrice: 0.35 },
      },
      'Without node a: nothing has to move; $0.2500 per hour more',
    ],
    [
      'costs what it saves',
      { removed: { node: 'a', pods: [], price: 0.00001 } },
      'Without node a: nothing has to move; at the same price',
    ],
  ])('%s', (_, traits, line) => {
    expect(linesOf(traits)[0]).toBe(line);
  });
});

describe('pods without a place', () => {
  test.each<[fact: string, errors: SimulationOutlook['errors'], lines: readonly string[]]>([
    ['say the one reason beside the pod', [{ pod: 'p', message: 'too large' }], ['p has no place: too large']],
    [
      'share an equal reason',
      ['p', 'q', 'r'].map((pod) => ({ pod, message: 'too large' })),
      ['p and 2 more have no place: too large'],
    ],
    [
      'have a line for each of several reasons',
      [{ pod: 'p', message: 'a; b', reasons: ['a', 'b'] }],
      ['p has no place:', '  - a', '  - b'],
    ],
  ])('%s', (_, errors, lines) => {
    expect(linesOf({ errors }).slice(0, lines.length)).toEqual(lines);
  });

  test('are told with ten reasons, and how many more there are', () => {
    const errors = Array.from({ length: 12 }, (_, index) => ({ pod: `p${index}`, message: `reason ${index}` }));
    const lines = linesOf({ errors });
    expect(lines.filter((line) => line.includes('has no place'))).toHaveLength(10);
    expect(lines).toContain('and 2 more reasons; -o json tells all');
    expect(lines.at(-1)).toBe('0 new nodes, $0.0000 per hour, 12 pods without a place');
  });
});
