import { expect, test } from 'vitest';
import { exampleOf, familyOfAlias, followsLatest, parsedAlias } from './alias.ts';

test.each([
  ['al2@v20240117', { family: 'al2', version: 'v20240117' }],
  ['al2@', { family: 'al2', version: '' }],
  ['al2', { family: 'al2', version: '' }],
  ['', { family: '', version: '' }],
])('%s', (alias, parsed) => {
  expect(parsedAlias(alias)).toEqual(parsed);
});

test.each([
  ['al2023@latest', 'AL2023', true],
  ['ubuntu@v1', 'AL2', false],
  ['windows2025@latest', 'Windows2025', true],
  ['fedora@latest', undefined, true],
  ['toString@v1', undefined, false],
  ['', undefined, false],
])('%s is of family %s; whether it follows releases: %s', (alias, family, isFollowing) => {
  expect([familyOfAlias(alias), followsLatest(alias)]).toEqual([family, isFollowing]);
});

test.each([
  ['al2023@latest', 'al2023@v20240828'],
  ['al2023@v20240828', 'al2023@v20240219'],
  ['bottlerocket@v1', 'bottlerocket@v1.20.4'],
  ['windows2022@latest', 'windows2022@latest'],
])('an example beside %s is %s', (alias, example) => {
  expect(exampleOf(alias)).toBe(example);
});
