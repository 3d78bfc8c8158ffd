import { expect, test } from 'vitest';
import { isYamlTooDeep } from './yaml-depth.ts';

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
  expect(isYamlTooDeep(nest(400))).toBe(false);
  expect(isYamlTooDeep(nest(1_100))).toBe(true);
  expect(isYamlTooDeep(nest(8_000))).toBe(true);
});

test('a long text is not a deep one', () => {
  expect(isYamlTooDeep(Array.from({ length: 5_000 }, (_, at) => `k${at}: [{ a: "[" }]`).join('\n'))).toBe(false);
  expect(isYamlTooDeep('---\na: [b]\n'.repeat(2_000))).toBe(false);
});
