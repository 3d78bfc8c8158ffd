import { expect, test } from 'vitest';
import {
  type FieldDifference,
  listFieldDifferences,
  parseFieldDifferences,
  restoreFields,
} from './field-differences.ts';

for (const [fact, was, is, differences] of [
  ['the same value', { a: 1, b: ['x'] }, { b: ['x'], a: 1 }, []],
  ['nothing on both sides', undefined, undefined, []],
  ['another value', { a: 1 }, { a: 2 }, [{ at: ['a'], was: 1, is: 2 }]],
  ['a member that is new', {}, { a: 1 }, [{ at: ['a'], is: 1 }]],
  ['a member that is gone', { a: 1 }, {}, [{ at: ['a'], was: 1 }]],
  ['a member that is null now', { a: 1 }, { a: null }, [{ at: ['a'], was: 1, is: null }]],
  [
    'members below each other',
    { a: { b: { c: 1 }, d: 2 } },
    { a: { b: { c: 3 }, d: 2 } },
    [{ at: ['a', 'b', 'c'], was: 1, is: 3 }],
  ],
  [
    'several members, by their names',
    { b: 1, a: 1 },
    { b: 2, a: 2, c: 2 },
    [
      { at: ['a'], was: 1, is: 2 },
      { at: ['b'], was: 1, is: 2 },
      { at: ['c'], is: 2 },
    ],
  ],
  [
    'items of a list',
    { a: [1, 2] },
    { a: [1, 3] },
    [
      {
        at: ['a'],
        items: [
          { was: 1, is: 1 },
          { was: 2, is: 3 },
        ],
      },
    ],
  ],
  ['a longer list', { a: [1] }, { a: [1, 2] }, [{ at: ['a'], was: [1], is: [1, 2] }]],
  ['a list in place of a map', { a: {} }, { a: [] }, [{ at: ['a'], was: {}, is: [] }]],
  ['a map in place of a list', { a: [] }, { a: {} }, [{ at: ['a'], was: [], is: {} }]],
  ['a map in place of nothing', { a: null }, { a: {} }, [{ at: ['a'], was: null, is: {} }]],
  ['a member of another name', { a: { x: undefined } }, { a: { y: undefined } }, []],
] as readonly (readonly [string, unknown, unknown, readonly FieldDifference[]])[])
  test(`what differs: ${fact}`, () => {
    expect(listFieldDifferences(was, is)).toStrictEqual(differences);
  });

test('values below a place differ there', () => {
  expect(listFieldDifferences(1, 2, ['spec'])).toStrictEqual([{ at: ['spec'], was: 1, is: 2 }]);
});

for (const [fact, value, differences, restored] of [
  ['a value that is as it was', { a: 1, b: 1 }, [{ at: ['a'], was: 1, is: 2 }], { a: 2, b: 1 }],
  ['a value that was changed in between', { a: 7 }, [{ at: ['a'], was: 1, is: 2 }], { a: 7 }],
  ['a member that comes back', { b: 1 }, [{ at: ['a'], is: 2 }], { a: 2, b: 1 }],
  ['a member that goes', { a: 1, b: 1 }, [{ at: ['a'], was: 1 }], { b: 1 }],
  ['a place whose parent is gone', { b: 1 }, [{ at: ['a', 'x'], is: 2 }], { b: 1 }],
  ['a place whose parent is a text', { a: 'x' }, [{ at: ['a', 'x'], is: 2 }], { a: 'x' }],
  ['a place whose parent is a list', { a: [1] }, [{ at: ['a', '0'], was: 1, is: 2 }], { a: [1] }],
  ['a whole value', 1, [{ at: [], was: 1, is: 2 }], 2],
  [
    'items, wherever they are now',
    { a: ['y', 'z', 'x'] },
    [
      {
        at: ['a'],
        items: [
          { was: 'x', is: 'X' },
          { was: 'y', is: 'Y' },
        ],
      },
    ],
    { a: ['Y', 'z', 'X'] },
  ],
  [
    'an item once for each pair',
    { a: ['x', 'x', 'x'] },
    [
      {
        at: ['a'],
        items: [
          { was: 'x', is: 'X' },
          { was: 'x', is: 'Y' },
        ],
      },
    ],
    { a: ['X', 'Y', 'x'] },
  ],
  ['items of what is no list any more', { a: 'x' }, [{ at: ['a'], items: [{ was: 'x', is: 'X' }] }], { a: 'x' }],
  [
    'several differences',
    { a: 1, b: 1 },
    [
      { at: ['a'], was: 1, is: 2 },
      { at: ['b'], was: 1, is: 3 },
    ],
    { a: 2, b: 3 },
  ],
  ['a map, in whatever order', { a: { x: 1, y: [2] } }, [{ at: ['a'], was: { y: [2], x: 1 }, is: 0 }], { a: 0 }],
  ['a map with other members', { a: { x: 1 } }, [{ at: ['a'], was: { y: 1 }, is: 0 }], { a: { x: 1 } }],
  ['a map with fewer members', { a: { x: 1, y: 1 } }, [{ at: ['a'], was: { x: 1 }, is: 0 }], { a: { x: 1, y: 1 } }],
  ['a list with other items', { a: [1, 2] }, [{ at: ['a'], was: [1, 3], is: 0 }], { a: [1, 2] }],
  ['a list with fewer items', { a: [1, 2] }, [{ at: ['a'], was: [1], is: 0 }], { a: [1, 2] }],
  ['a list that was a map', { a: [] }, [{ at: ['a'], was: {}, is: 0 }], { a: [] }],
] as readonly (readonly [string, unknown, readonly FieldDifference[], unknown])[])
  test(`what is restored: ${fact}`, () => {
    expect(restoreFields(value, differences)).toStrictEqual(restored);
  });

test('a value in which nothing is restored is the very same', () => {
  const value = { a: { b: 1 } };
  expect(restoreFields(value, [{ at: ['a', 'b'], was: 7, is: 8 }])).toBe(value);
});

test.each(['[]', '[{"at":["a"]}]', '[{"at":["a"],"was":1,"is":null}]', '[{"at":[],"items":[{"was":1,"is":2}]}]'])(
  '%s are differences',
  (text) => {
    expect(parseFieldDifferences(text)).toEqual(JSON.parse(text));
  },
);

test.each([
  '',
  'no JSON',
  '7',
  '{"at":["a"]}',
  '[null]',
  '[["a"]]',
  '[{"is":1}]',
  '[{"at":"a"}]',
  '[{"at":["a",1]}]',
  '[{"at":["a"],"items":1}]',
  '[{"at":["a"],"items":[1]}]',
  '[{"at":["a"],"items":[{"was":1},[2]]}]',
  '[{"at":["a"]},7]',
])('%s are none', (text) => {
  expect(parseFieldDifferences(text)).toBeUndefined();
});
