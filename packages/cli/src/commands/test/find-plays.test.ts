import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findPlays, hasScenario, type PlayFlags } from './find-plays.ts';
import { listWatchedPaths } from './watched-paths.ts';

const aScenario = (name: string, more = ''): string => `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ${name}}
spec:
  given: [pool.yaml]
  seeds: 2
  steps: [{advance: 1h}]
${more}`;

let folder: string;
const put = (name: string, text: string): string => {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
};
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plays-'));
  mkdirSync(join(folder, 'more'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const titlesOf = (paths: readonly string[], flags: PlayFlags = {}) =>
  findPlays(paths, flags).map(({ title, seed }) => `${title} ${seed}`);
const told = (paths: readonly string[], flags: PlayFlags = {}): string => {
  try {
    return `it found ${titlesOf(paths, flags).join(', ')}`;
  } catch (error) {
    return (error as Error).message.replaceAll(folder, 'F');
  }
};

test('every scenario of a file is played with as many seeds as it says, or as the flags say', () => {
  const file = put('a.yaml', `${aScenario('one')}---\n${aScenario('two')}`);
  expect(titlesOf([file])).toEqual(['one 1', 'one 2', 'two 1', 'two 2']);
  expect(titlesOf([file], { seeds: 1 })).toEqual(['one 1', 'two 1']);
  expect(titlesOf([file], { seed: 7, filter: 'tw' })).toEqual(['two 7']);
});

test('a case is a play of its own, with its name', () => {
  const file = put('a.yaml', aScenario('one', '  cases: [{name: small}, {name: large}]\n'));
  expect(titlesOf([file], { seed: 1 })).toEqual(['one (small) 1', 'one (large) 1']);
});

test('of a folder only the files count that speak of a scenario', () => {
  put('a.yaml', aScenario('one'));
  put('pool.yaml', 'kind: NodePool\n');
  put('more/b.yaml', aScenario('two'));
  expect(titlesOf([folder], { seed: 1 }).toSorted()).toEqual(['one 1', 'two 1']);
  expect([hasScenario([folder]), hasScenario([join(folder, 'pool.yaml')])]).toEqual([true, false]);
});

test.each<[fact: string, name: string, text: string, message: string]>([
  [
    'there is none',
    'b.yaml',
    'kind: NodePool\n',
    'F/b.yaml:1:1: there is no scenario, which is a YAML document with kind: Scenario',
  ],
  ['the name is another', 'b.yaml', aScenario('one'), '--filter two: no scenario has this in its name; there are one'],
])('where %s, the message says what there is', (_fact, name, text, message) => {
  expect(told([put(name, text)], { filter: 'two' })).toBe(message);
});

test('every file with a mistake is named at once, and so is a path that is not there', () => {
  const files = ['a.yaml', 'b.yaml'].map((name) => put(name, aScenario('one').replace('advance', 'go')));
  const message = told(files);
  expect(message).toContain('F/a.yaml:7:');
  expect(message).toContain('F/b.yaml:7:');
  expect(told([join(folder, 'none.yaml')])).toBe('F/none.yaml: there is no such file or folder');
});

test('with --watch the manifests that scenarios name are watched beside them; standard input cannot be', () => {
  const file = put('a.yaml', aScenario('one'));
  expect(listWatchedPaths([file], {})).toEqual([file, join(folder, 'pool.yaml')]);
  const input = put('b.yaml', aScenario('one').replace('pool.yaml', '"-"'));
  expect(() => listWatchedPaths([input], {})).toThrow('standard input can be read only once');
  const wrong = put('c.yaml', aScenario('one').replace('advance', 'go'));
  expect(listWatchedPaths([wrong], {})).toEqual([wrong]);
});
