import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hasIntersection, intersectRequirements } from './intersection.ts';
import { allowsValue, operatorOfRequirement, parseRequirement } from './requirement.ts';
import type { Requirement } from './requirements.ts';
import { printRequirement } from './written-form.ts';

const make = (operator: Parameters<typeof parseRequirement>[0]['operator'], ...values: string[]): Requirement =>
  parseRequirement({ key: 'key', operator, values });

const shapes = {
  E: make('Exists'),
  D: make('DoesNotExist'),
  inA: make('In', 'A'),
  inB: make('In', 'B'),
  inAB: make('In', 'A', 'B'),
  notA: make('NotIn', 'A'),
  in1: make('In', '1'),
  in9: make('In', '9'),
  in19: make('In', '1', '9'),
  not12: make('NotIn', '1', '2'),
  gt1: make('Gt', '1'),
  gt9: make('Gt', '9'),
  lt1: make('Lt', '1'),
  lt9: make('Lt', '9'),
} as const;
type Shape = keyof typeof shapes;

const columns: readonly Shape[] = [
  'inA', 'inB', 'inAB', 'notA', 'in1', 'in9', 'in19', 'not12', 'gt1', 'gt9', 'lt1', 'lt9',
]; // prettier-ignore

// Upper triangle of the pair table; `D` is absence, `=X` the shape X itself.
const pairs: Readonly<Partial<Record<Shape, readonly string[]>>> = {
  inA: ['=inA', 'D', '=inA', 'D', 'D', 'D', 'D', '=inA', 'D', 'D', 'D', 'D'],
  inB: ['=inB', '=inB', '=inB', 'D', 'D', 'D', '=inB', 'D', 'D', 'D', 'D'],
  inAB: ['=inAB', '=inB', 'D', 'D', 'D', '=inAB', 'D', 'D', 'D', 'D'],
  notA: ['=notA', '=in1', '=in9', '=in19', 'NotIn [1 2 A]', '=gt1', '=gt9', '=lt1', '=lt9'],
  in1: ['=in1', 'D', '=in1', 'D', 'D', 'D', 'D', '=in1'],
  in9: ['=in9', '=in9', '=in9', '=in9', 'D', 'D', 'D'],
  in19: ['=in19', '=in9', '=in9', 'D', 'D', '=in1'],
  not12: ['=not12', 'NotIn [2] >=2', '=gt9', '=lt1', 'NotIn [1 2] <=8'],
  gt1: ['=gt1', '=gt9', 'D', '>=2 <=8'],
  gt9: ['=gt9', 'D', 'D'],
  lt1: ['=lt1', '=lt1'],
  lt9: ['=lt9'],
};

const expectedText = (cell: string): string => {
  if (cell === 'D') return printRequirement(shapes.D);
  return cell.startsWith('=') ? printRequirement(shapes[cell.slice(1) as Shape]) : `key ${cell}`;
};

describe('the intersection table', () => {
  for (const [row, cells] of Object.entries(pairs)) {
    for (const [offset, cell] of cells.entries()) {
      const column = columns[columns.indexOf(row as Shape) + offset] ?? 'E';
      const [a, b] = [shapes[row as Shape], shapes[column]];
      test(`${printRequirement(a)} and ${printRequirement(b)} leave ${expectedText(cell)}, either way round`, () => {
        expect(printRequirement(intersectRequirements(a, b))).toBe(expectedText(cell));
        expect(printRequirement(intersectRequirements(b, a))).toBe(expectedText(cell));
      });
    }
  }
  for (const [name, shape] of Object.entries(shapes)) {
    test(`${name} is unchanged by Exists and absorbed by DoesNotExist`, () => {
      expect(printRequirement(intersectRequirements(shape, shapes.E))).toBe(printRequirement(shape));
      expect(printRequirement(intersectRequirements(shapes.D, shape))).toBe(printRequirement(shapes.D));
    });
  }
});

describe('minValues', () => {
  for (const { fact, left, right, found } of [
    { fact: 'absent on both sides stays absent', left: undefined, right: undefined, found: undefined },
    { fact: 'of one side holds', left: 2, right: undefined, found: 2 },
    { fact: 'of two sides is the larger', left: 2, right: 5, found: 5 },
  ]) {
    test(fact, () => {
      const [a, b] = [
        { ...shapes.inAB, ...(left === undefined ? {} : { minValues: left }) },
        { ...shapes.notA, ...(right === undefined ? {} : { minValues: right }) },
      ];
      expect(intersectRequirements(a, b).minValues).toBe(found);
      expect(intersectRequirements(b, a).minValues).toBe(found);
    });
  }
  test('survives an intersection that leaves nothing', () => {
    const none = intersectRequirements({ ...shapes.gt9, minValues: 3 }, shapes.lt1);
    expect(printRequirement(none)).toBe('key DoesNotExist minValues 3');
  });
});

test('equal inclusive bounds leave exactly one number', () => {
  const five = intersectRequirements(make('Gte', '5'), make('Lte', '5'));
  expect(['4', '5', '6'].filter((value) => allowsValue(five, value))).toEqual(['5']);
});

test('exclusions of every number between the bounds leave nothing, either way round', () => {
  const three = intersectRequirements(make('Gt', '2'), make('Lt', '4'));
  const others = make('NotIn', '1', '3');
  for (const [a, b] of [
    [three, others],
    [others, three],
  ] as const) {
    expect(operatorOfRequirement(intersectRequirements(a, b))).toBe('DoesNotExist');
    expect(hasIntersection(a, b)).toBe(false);
  }
  expect(hasIntersection(three, make('NotIn', '1', '2'))).toBe(true);
});

const aValue = (): fc.Arbitrary<string> => fc.constantFrom('A', 'B', '0', '1', '2', '5', '9', '10', '-1', '1.5');
const aRequirement = (): fc.Arbitrary<Requirement> =>
  fc.oneof(
    fc
      .record({ operator: fc.constantFrom('In', 'NotIn'), values: fc.array(aValue(), { maxLength: 4 }) })
      .map(({ operator, values }) => make(operator, ...values)),
    fc.constantFrom(shapes.E, shapes.D),
    fc
      .record({ operator: fc.constantFrom('Gt', 'Lt', 'Gte', 'Lte'), bound: fc.integer({ min: 0, max: 11 }) })
      .map(({ operator, bound }) => make(operator, String(bound))),
  );
const aMixture = (): fc.Arbitrary<Requirement> =>
  fc.array(aRequirement(), { minLength: 1, maxLength: 3 }).map((all) => all.reduce(intersectRequirements));

describe('laws', () => {
  test('an intersection allows a value exactly when both sides do', () => {
    fc.assert(
      fc.property(aMixture(), aMixture(), aValue(), (a, b, value) => {
        expect(allowsValue(intersectRequirements(a, b), value)).toBe(allowsValue(a, value) && allowsValue(b, value));
      }),
    );
  });
  test('order and grouping do not matter', () => {
    fc.assert(
      fc.property(aMixture(), aMixture(), aMixture(), (a, b, c) => {
        expect(printRequirement(intersectRequirements(a, b))).toBe(printRequirement(intersectRequirements(b, a)));
        expect(operatorOfRequirement(intersectRequirements(intersectRequirements(a, b), c)) === 'DoesNotExist').toBe(
          operatorOfRequirement(intersectRequirements(a, intersectRequirements(b, c))) === 'DoesNotExist',
        );
      }),
    );
  });
  test('hasIntersection is true exactly when the intersection is more than absence', () => {
    fc.assert(
      fc.property(aMixture(), aMixture(), (a, b) => {
        expect(hasIntersection(a, b)).toBe(operatorOfRequirement(intersectRequirements(a, b)) !== 'DoesNotExist');
      }),
    );
  });
});
