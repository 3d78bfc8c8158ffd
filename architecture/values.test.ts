import { readFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect, test } from 'vitest';
import { productSources, root, testSources, workshopSources } from './sources.ts';

/** Where a comparison is not one of texts, or is the one that the others use. */
const ownComparisons = new Set([
  'packages/apis/src/values/order.ts',
  'packages/apis/src/values/quantity.ts',
  'packages/engine/src/solve/topology/allowed-domains.ts',
]);

const houseSources = [...productSources(), ...workshopSources()];

const linesWith = (pattern: RegExp): readonly string[] =>
  houseSources.flatMap((file) => {
    const name = relative(root, file);
    if (ownComparisons.has(name)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${name}:${index + 1}: ${line.trim()}`] : []));
  });

test('texts are put in order by `byText`, `byTextOf` and `inOrder` of apis', () => {
  expect(linesWith(/\b[ab][\w.]* < [ab][\w.]* \? -1 :|\? 1 : -1|localeCompare/)).toEqual([]);
});

/** `(a, b) =>` or `([a], [b]) =>`, written where it is used. */
const comparator = String.raw`\(\s*(?:\w+|[[{][^\]}=]*[\]}])\s*,\s*(?:\w+|[[{][^\]}=]*[\]}])\s*\)\s*=>`;
const inlineComparator = new RegExp(String.raw`(?:toSorted|\.sort|\binOrder(?:<[^(]*>)?)\(\s*${comparator}`);

test('what is sorted is sorted by a comparison that has a name: `byNumberOf`, `byTextOf`, `byValueOf` and `inOrder` of apis', () => {
  const sorting = houseSources.filter((file) => inlineComparator.test(readFileSync(file, 'utf8')));
  expect(sorting.map((file) => relative(root, file)).filter((name) => !ownComparisons.has(name))).toEqual([]);
  expect(linesWith(/\(a, b\) =>.* - /)).toEqual([]);
});

test('tests sort in the same way', () => {
  const sorting = testSources().filter((file) => inlineComparator.test(readFileSync(file, 'utf8')));
  expect(sorting.map((file) => relative(root, file))).toEqual([]);
});

test('lengths of time are told by `seconds`, `minutes`, `hours` and `days` of apis', () => {
  expect(linesWith(/\b(?:minute|hour|day|week)(?:Ms)? = [\d_ *]{2,};|\d \* (?:60_000|3_600_000|86_400_000)\b/)).toEqual(
    [],
  );
});
