import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApplication } from '../../app.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

const aScenario = (name: string, expectation: string, more = ''): string => `apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ${name}}
spec:
${more}  steps:
    - advance: 1m
    - expect: ${expectation}
`;

let folder = '';
const inFolder = (name: string): string => join(folder, name);
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'run-tests-'));
  writeFileSync(inFolder('holds.yaml'), aScenario('it holds', 'nodes.size() == 0'));
  writeFileSync(inFolder('fails.yaml'), aScenario('it fails', 'nodes.size() > 0'));
  writeFileSync(
    inFolder('both.yaml'),
    `${aScenario('first', 'nodes.size() > 0')}---\n${aScenario('second', 'nodes.size() == 0')}`,
  );
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Plays in this process. */
const play = (...args: readonly string[]) => type('test', ...args, '--parallel', '1');

describe('plays', () => {
  test('that hold end with 0, a line each', async () => {
    const { status, out, err } = await play(inFolder('holds.yaml'), '--seeds', '2');
    expect({ status, err }).toEqual({ status: 0, err: '' });
    expect(out.split('\n')).toEqual([
      'PASS  it holds  seed 1, 1m2s of cluster time',
      'PASS  it holds  seed 2, 1m2s of cluster time',
      '',
      '2 plays passed, 0 failed',
    ]);
  });

  test('that do not end with 1, and say where, what it was, and how it is played again', async () => {
    const { status, out } = await play(inFolder('fails.yaml'), '--seed', '7');
    expect(status).toBe(1);
    expect(out).toContain('FAIL  it fails');
    expect(out).toContain('fails.yaml:7:15  expect: nodes.size() > 0\n  is false');
    expect(out).toContain('nodes.size() is 0');
    expect(out).toContain(`run it again: nodewright test ${inFolder('fails.yaml')} --filter 'it fails' --seed 7`);
    expect(out.split('\n').at(-1)).toBe('0 plays passed, 1 failed');
  });

  test('end after the first failure where that is asked for', async () => {
    const { status, out } = await play(inFolder('both.yaml'), '--fail-fast');
    expect(status).toBe(1);
    expect(out).not.toContain('PASS  second');
  });

  test('are those whose name has a text', async () => {
    const { status, out } = await play(inFolder('both.yaml'), '--filter', 'second');
    expect({ status, last: out.split('\n').at(-1) }).toEqual({ status: 0, last: '1 play passed, 0 failed' });
  });

  test('are named when none has the text', async () => {
    expect(await play(inFolder('both.yaml'), '--filter', 'third')).toEqual({
      status: 2,
      out: '',
      err: 'error: --filter third: no scenario has this in its name; there are first, second',
    });
  });

  test('are the same with the same seed, to the byte', async () => {
    const [one, other] = [await play(inFolder('fails.yaml')), await play(inFolder('fails.yaml'))];
    expect(one).toEqual(other);
  });
});

describe('for programs', () => {
  test('a report has each play with its outcome', async () => {
    const { status, out } = await play(inFolder('both.yaml'), '-o', 'json');
    expect(status).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ apiVersion: 'nodewright.dev/v1alpha1', kind: 'ScenarioReport' });
    expect(out).toContain('"first"');
    expect(out).toContain('"second"');
  });

  test('JUnit has a case for each play, and the failure of those that fail', async () => {
    const file = inFolder('report.xml');
    await play(inFolder('both.yaml'), '--junit', file);
    const text = readFileSync(file, 'utf8');
    expect([...text.matchAll(/<testcase /g)]).toHaveLength(2);
    expect([...text.matchAll(/<failure/g)]).toHaveLength(1);
    expect(text).toContain('nodes.size() &gt; 0');
    expect(text).not.toContain('nodes.size() > 0');
  });

  test('JUnit that cannot be written is told by its flag', async () => {
    expect(await play(inFolder('holds.yaml'), '--junit', '/nowhere/report.xml')).toMatchObject({
      status: 2,
      err: 'error: --junit /nowhere/report.xml: there is no such file or folder',
    });
  });

  test('a page has the timeline of the first play, and loads nothing', async () => {
    const file = inFolder('page.html');
    const { out } = await play(inFolder('holds.yaml'), '--open', file);
    expect(out).toContain(`timeline of it holds, seed 1: ${file}`);
    expect(readFileSync(file, 'utf8')).not.toMatch(/(?:src|href)="http/);
  });
});

describe('flags that exclude each other', () => {
  test.each<readonly [args: readonly string[], message: string]>([
    [['--wire', '--controller', 'x'], '--wire and --controller exclude each other'],
    [['--speed', '10'], '--speed goes with --controller'],
    [['--wire', '--keep', 'x'], '--keep and --open play a second time in the same way, which nothing over ports does'],
    [
      ['--controller', 'external', '--seeds', '2'],
      '--controller external: there are 2 plays, each with a cluster of its own',
    ],
    [['--fuzz', '1', '--seeds', '2'], '--seeds: give it with the file that --fuzz writes, not with --fuzz'],
  ])('%j', async (args, message) => {
    const { status, out, err } = await play(inFolder('holds.yaml'), ...args);
    expect({ status, out }).toEqual({ status: 2, out: '' });
    expect(err).toContain(message);
  });
});
