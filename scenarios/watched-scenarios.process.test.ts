import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';

const launcher = join(import.meta.dirname, '../packages/cli/bin/nodewright.mjs');

const scenario = (name: string, expected = 'nodes.size() == 0', given = '../manifests') => `
apiVersion: nodewright.dev/v1alpha1
kind: Scenario
metadata: {name: ${name}}
spec:
  given: ${given}
  steps:
    - expect: ${expected}
`;

const namespace = (name: string) => `{apiVersion: v1, kind: Namespace, metadata: {name: ${name}}}\n`;

let folder: string;
let child: ChildProcess;
let text: string;
let told: () => void = () => undefined;
/** Starts the command, and collects what it tells. */
function watchFolder(...flags: readonly string[]): void {
  text = '';
  child = spawn(process.execPath, [launcher, 'test', join(folder, 'scenarios'), '--watch', ...flags]);
  for (const stream of [child.stdout, child.stderr])
    stream?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      told();
    });
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watched-scenarios-'));
  mkdirSync(join(folder, 'scenarios'));
  mkdirSync(join(folder, 'manifests'));
  writeFileSync(join(folder, 'manifests/all.yaml'), namespace('one'));
  writeFileSync(join(folder, 'scenarios/first.yaml'), scenario('as it was'));
});
afterEach(async () => {
  const ended = child.exitCode === null ? new Promise((resolve) => child.once('close', resolve)) : undefined;
  child.kill();
  await ended;
  rmSync(folder, { recursive: true });
});

/** What is told until the command waits for changes the next time. */
async function nextReport(): Promise<string> {
  const end = 'waiting for changes; Ctrl-C ends\n';
  await new Promise<void>((resolve) => {
    told = () => (text.includes(end) ? resolve() : undefined);
    told();
  });
  const [report = '', ...rest] = text.split(end);
  text = rest.join(end);
  return report;
}

/** As an editor does: a new file takes the place of the old one. */
function save(path: string, content: string): void {
  const draft = join(folder, 'draft');
  writeFileSync(draft, content);
  renameSync(draft, join(folder, path));
}

test('every save plays again, however often and wherever: scenarios, what they name, and folders that are new', async () => {
  watchFolder();
  expect(await nextReport()).toContain('PASS  as it was');
  save('scenarios/first.yaml', scenario('changed'));
  expect(await nextReport()).toContain('PASS  changed');
  save('scenarios/first.yaml', scenario('wrong', 'nodes.al(n, n.ready)'));
  expect(await nextReport()).toContain('no list has "al"; did you mean all?');
  save('scenarios/first.yaml', scenario('put right'));
  expect(await nextReport()).toContain('PASS  put right');
  save('manifests/all.yaml', '{apiVersion: v1, kind: Namespace}\n');
  expect(await nextReport()).toContain('all.yaml');
  save('manifests/all.yaml', namespace('two'));
  expect(await nextReport()).toContain('PASS  put right');
  mkdirSync(join(folder, 'scenarios/more'));
  writeFileSync(
    join(folder, 'scenarios/more/second.yaml'),
    scenario('one more', 'nodes.size() == 0', '../../manifests'),
  );
  expect(await nextReport()).toContain('PASS  one more');
});

test('what a failure leaves behind in a watched folder is no change', async () => {
  save('scenarios/first.yaml', scenario('fails', 'nodes.size() == 1'));
  watchFolder('--keep', join(folder, 'scenarios/kept'));
  expect(await nextReport()).toContain('FAIL  fails');
  save('scenarios/first.yaml', scenario('put right'));
  expect(await nextReport()).toContain('PASS  put right');
});

test('manifests from standard input are refused', async () => {
  save('scenarios/first.yaml', scenario('of a pipe', 'nodes.size() == 0', '"-"'));
  watchFolder();
  await new Promise((resolve) => child.once('close', resolve));
  expect(child.exitCode).toBe(2);
  expect(text).toBe('error: --watch needs manifests in files; standard input can be read only once\n');
});
