import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import packageJson from '../../../package.json' with { type: 'json' };
import { createApplication } from '../../app.ts';
import { printProposals } from './propose.ts';
import { completionScripts, completionShells } from './scripts.ts';

const silent = { write: () => undefined };
const proposalsFor = async (...words: readonly string[]): Promise<readonly string[]> =>
  (await printProposals(createApplication, words, { process: { stdout: silent, stderr: silent } }))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => line.split('\t', 1).join(''));

test('commands, their parts, flags and values of flags are proposed', async () => {
  expect(await proposalsFor('take')).toEqual(['takeover']);
  expect(await proposalsFor('takeover', '')).toEqual(expect.arrayContaining(['check', 'run', 'undo']));
  expect(await proposalsFor('manifests', '--val')).toEqual(['--values']);
  expect(await proposalsFor('sandbox', 'start', '--fsync', '')).toEqual(['always', 'interval', 'never']);
  expect(await proposalsFor('nothing', '')).toEqual([]);
});

for (const shell of completionShells) {
  const isInstalled = spawnSync(shell, ['--version']).status === 0;
  test.skipIf(!isInstalled)(`${shell} takes its script (skipped where ${shell} is not on the PATH)`, () => {
    const checked = spawnSync(shell, ['-n'], { input: completionScripts[shell], encoding: 'utf8' });
    expect(checked).toMatchObject({ status: 0, stderr: '' });
  });
}

test('bash completes what was proposed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'completion-'));
  const program = join(folder, 'nodewright');
  writeFileSync(program, '#!/bin/sh\nprintf "%s\\ta command\\n" takeover test\n');
  chmodSync(program, 0o755);
  const lines = [
    completionScripts.bash,
    'COMP_WORDS=(nodewright ta); COMP_CWORD=1; _nodewright; echo "${COMPREPLY[@]}"',
  ];
  const env = { PATH: `${folder}:${process.env['PATH']}` };
  expect(spawnSync('bash', ['-c', lines.join('\n')], { env, encoding: 'utf8' }).stdout).toBe('takeover\n');
});

test('the command is a plugin of kubectl, too', () => {
  const { bin } = packageJson;
  expect(bin['kubectl-nodewright']).toBe(bin.nodewright);
});
