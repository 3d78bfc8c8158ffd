import { expect, test } from 'vitest';
import { yamlComplaint } from './yaml-complaint.ts';

const nested: Readonly<Record<string, (depth: number) => string>> = {
  'flow sequences': (depth) => `{a: ${'['.repeat(depth)}${']'.repeat(depth)}}`,
  'flow mappings': (depth) => '{a: '.repeat(depth),
  'pairs in flow sequences': (depth) => '[a: '.repeat(depth),
  'brackets that a text seems to close': (depth) => '["]", '.repeat(depth),
  'sequences in one line': (depth) => `${'- '.repeat(depth)}x`,
  'explicit keys': (depth) => `${'? '.repeat(depth)}x`,
  'indented mappings': (depth) => Array.from({ length: depth }, (_, at) => `${' '.repeat(at)}a:`).join('\n'),
};

test.each(Object.entries(nested))('%s may lie in each other to a limit', (_what, nest) => {
  expect(yamlComplaint(nest(400))).toBeUndefined();
  expect(yamlComplaint(nest(1_100))).toBe('exceeded max depth');
  expect(yamlComplaint(nest(8_000))).toBe('exceeded max depth');
});

test('a long text is not a deep one', () => {
  expect(yamlComplaint(Array.from({ length: 5_000 }, (_, at) => `k${at}: [{ a: "[" }]`).join('\n'))).toBeUndefined();
  expect(yamlComplaint('---\na: [b]\n'.repeat(2_000))).toBeUndefined();
});

test('a text has a limited number of aliases', () => {
  const aliases = (count: number): string => `a: &a [x]\nb: [${Array.from({ length: count }, () => '*a').join(', ')}]`;
  expect(yamlComplaint(aliases(100))).toBeUndefined();
  expect(yamlComplaint(aliases(101))).toBe('yaml: document contains excessive aliasing');
});

test('a star in a scalar is not an alias', () => {
  expect(yamlComplaint('- "*"\n'.repeat(500))).toBeUndefined();
  expect(yamlComplaint('- |\n  *a\n'.repeat(500))).toBeUndefined();
});
