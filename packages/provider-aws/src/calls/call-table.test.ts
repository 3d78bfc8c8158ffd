import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { callTable, printCalls, printErrorClasses } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { consequences } from './consequences.ts';
import { errorCodes } from './error-codes.ts';

test('a code that nobody listed backs off, and only a lookup from a spec waits for the spec', () => {
  expect(consequences.unknownCode.retry).toBe('backOff');
  expect(Object.values(consequences).filter(({ retry }) => retry === 'afterSpecChange')).toEqual([]);
  const waiting = callTable.flatMap(({ method, differs = {} }) =>
    Object.entries(differs).flatMap(([name, follow]) => (follow === 'afterSpecChange' ? `${method} ${name}` : [])),
  );
  expect(waiting.filter((rule) => !/^nodeClasses\.\w+ invalidParameter$/.test(rule))).toEqual([]);
});

test('a code has one class', () => {
  const codes = Object.values(errorCodes).flat();
  expect(codes).toHaveLength(new Set(codes).size);
});

test('the documents say what the tables say', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/aws-calls.md'), 'utf8');
  const [tables = ''] = page.split('\n## How often AWS is asked');
  const items = tables.split(/\n(?=- |\n)/).map((text) => text.replaceAll(/\s+/g, ' ').trim());
  const told = [...printErrorClasses(), ...printCalls()];
  expect(items.filter((item) => item.startsWith('- '))).toEqual(told);
});
