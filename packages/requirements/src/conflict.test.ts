import { expect, test } from 'vitest';
import { conflictBetween, findIncompatibleLabel, isCompatible, requirementsIntersect } from './compatibility.ts';
import { parseRequirements } from './requirement-set.ts';

const labels = (of: Readonly<Record<string, string>>) =>
  parseRequirements(Object.entries(of).map(([key, value]) => ({ key, operator: 'In' as const, values: [value] })));

test('of several labels in conflict the first by name is told, with both sides', () => {
  const [base, incoming] = [labels({ z: '1', b: '1', a: '1' }), labels({ z: '2', b: '2', a: '1' })];
  expect(conflictBetween(base, incoming)).toEqual({
    kind: 'conflict',
    key: 'b',
    base: base.get('b'),
    incoming: incoming.get('b'),
  });
  expect([requirementsIntersect(base, incoming), isCompatible(base, incoming)]).toEqual([false, false]);
});

for (const { fact, base, incoming, go } of [
  { fact: 'nothing in common', base: labels({ a: '1' }), incoming: labels({ b: '1' }), go: true },
  { fact: 'a common value', base: labels({ a: '1', b: '1' }), incoming: labels({ b: '1' }), go: true },
  { fact: 'a conflict in the larger set', base: labels({ a: '1' }), incoming: labels({ a: '2', b: '1' }), go: false },
  { fact: 'a conflict in the smaller set', base: labels({ a: '1', b: '1' }), incoming: labels({ a: '2' }), go: false },
  {
    fact: 'an absence on either side',
    base: parseRequirements([{ key: 'a', operator: 'DoesNotExist' }]),
    incoming: parseRequirements([{ key: 'a', operator: 'NotIn', values: ['1'] }]),
    go: true,
  },
  {
    fact: 'an absence on one side alone',
    base: parseRequirements([{ key: 'a', operator: 'DoesNotExist' }]),
    incoming: parseRequirements([{ key: 'a', operator: 'Exists' }]),
    go: false,
  },
] as const) {
  test(`sets with ${fact} ${go ? 'go' : 'do not go'} together, either way round`, () => {
    expect([requirementsIntersect(base, incoming), requirementsIntersect(incoming, base)]).toEqual([go, go]);
    expect([conflictBetween(base, incoming) === undefined, conflictBetween(incoming, base) === undefined]).toEqual([
      go,
      go,
    ]);
  });
}

test('of several labels that a node lacks the first by name is told', () => {
  const found = findIncompatibleLabel(labels({ x: '1' }), labels({ qqqqqq: '1', kkkkkk: '1', x: '1' }));
  expect(found).toStrictEqual({ kind: 'undefinedLabel', key: 'kkkkkk' });
});

test('a label that may be undefined is still held against what is known of it', () => {
  const mayBeUndefined = new Set(['a', 'b']);
  expect(findIncompatibleLabel(labels({ a: '1' }), labels({ b: '1' }), mayBeUndefined)).toBeUndefined();
  expect(findIncompatibleLabel(labels({ a: '1' }), labels({ a: '2' }), mayBeUndefined)).toMatchObject({ key: 'a' });
  expect(isCompatible(labels({ a: '1' }), labels({ a: '2' }), mayBeUndefined)).toBe(false);
});

test('the label that was meant contains what was written, or has its name under another domain', () => {
  const meantBy = (key: string) =>
    findIncompatibleLabel(labels({ 'example.com/team-name': 'x' }), labels({ [key]: '1' }));
  expect(meantBy('team')).toMatchObject({ didYouMean: 'example.com/team-name' });
  expect(meantBy('other.io/team-name')).toMatchObject({ didYouMean: 'example.com/team-name' });
});
