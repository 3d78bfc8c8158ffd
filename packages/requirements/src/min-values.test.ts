import { expect, test } from 'vitest';
import { countMinValues, relaxMinValues } from './min-values.ts';
import { parseRequirements } from './requirement-set.ts';

const typeWith = (labels: Readonly<Record<string, readonly string[]>>) => ({
  requirements: parseRequirements(
    Object.entries(labels).map(([key, values]) => ({ key, operator: 'In' as const, values: [...values] })),
  ),
});
const types = [
  typeWith({ family: ['m5'], size: ['large'] }),
  typeWith({ family: ['m5'], size: ['xlarge'] }),
  typeWith({ family: ['c5'] }),
];
const wanting = (family: number | undefined, size?: number) =>
  parseRequirements([
    { key: 'size', operator: 'Exists', ...(size === undefined ? {} : { minValues: size }) },
    { key: 'family', operator: 'Exists', ...(family === undefined ? {} : { minValues: family }) },
  ]);

test('without a number of values nothing is counted', () => {
  expect(countMinValues(wanting(undefined), types)).toEqual({ needed: 0, short: [] });
});

test('without types the count is met', () => {
  expect(countMinValues(wanting(3), [])).toEqual({ needed: 0, short: [] });
});

test('counting stops with the type that meets every count', () => {
  expect(countMinValues(wanting(1), types)).toEqual({ needed: 1, short: [] });
  expect(countMinValues(wanting(1, 2), types)).toEqual({ needed: 2, short: [] });
  expect(countMinValues(wanting(2, 2), types)).toEqual({ needed: 3, short: [] });
});

test('labels with too few values are told by name, with what was found', () => {
  expect(countMinValues(wanting(3, 4), types)).toEqual({
    needed: 3,
    short: [
      { key: 'family', wanted: 3, found: 2 },
      { key: 'size', wanted: 4, found: 2 },
    ],
  });
});

test('a label that no type has is short of all', () => {
  const zone = parseRequirements([{ key: 'zone', operator: 'Exists', minValues: 1 }]);
  expect(countMinValues(zone, types).short).toEqual([{ key: 'zone', wanted: 1, found: 0 }]);
});

test('relaxed, a set wants what was found, and is otherwise the same', () => {
  const set = wanting(3, 2);
  const relaxed = relaxMinValues(set, countMinValues(set, types).short);
  expect([...relaxed].map(([key, { minValues }]) => [key, minValues])).toEqual([
    ['size', 2],
    ['family', 2],
  ]);
  expect(relaxed.get('size')).toBe(set.get('size'));
});
