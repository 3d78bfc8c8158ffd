import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { stepNames, stepSummaries } from '../reading/step-names.ts';
import { type FactField, factLists, factTables, factValues } from './fact-tables.ts';

const page = readFileSync(fileURLToPath(new URL('../../../../docs/testing.md', import.meta.url)), 'utf8');

const fieldRow = ([name, { type, about }]: readonly [string, FactField]): string => `- \`${name}\` (${type}): ${about}`;

/** The fields as docs/testing.md has them. */
const printFields = (): string =>
  [
    ...Object.entries(factValues).map(fieldRow),
    ...factLists.flatMap((list) => {
      const { about, fields } = factTables[list];
      return ['', `### ${list}: ${about}`, '', ...Object.entries(fields).map(fieldRow)];
    }),
  ].join('\n');

test('docs/testing.md has every field of every list', () => {
  const [, written = ''] = /<!-- fields -->\n+([\s\S]*?)\n+<!-- end of fields -->/.exec(page) ?? [];
  expect(written).toBe(printFields());
});

test('docs/testing.md has every step', () => {
  expect(stepNames.filter((name) => !page.includes(`- \`${name}: `) || !page.includes(stepSummaries[name]))).toEqual(
    [],
  );
});
