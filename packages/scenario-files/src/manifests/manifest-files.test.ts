import { expect, test } from 'vitest';
import { describeSkipped } from './manifest-files.ts';

test.each([
  ['deploy/package.json', 'other', []],
  ['tsconfig.build.json', 'other', []],
  ['scenario.schema.json', 'other', []],
  ['values.yaml', 'other', ['values.yaml has no apiVersion and kind, and is left out']],
  ['pool.json', 'other', ['pool.json has no apiVersion and kind, and is left out']],
  [
    'package.json',
    'template',
    ['package.json is a template and is left out; render it with helm template, and give it as -'],
  ],
] as const)('a file of a folder that is no manifest: %s, %s', (file, kind, lines) => {
  expect(describeSkipped(file, { kind: kind })).toEqual(lines);
});
