import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { aTerminal } from '@nodewright/testkit/worlds';
import { run } from '@stricli/core';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createApplication } from '../../app.ts';
import { settingNames } from '../../controller/setting-table.ts';

const type = aTerminal((args, process) => run(createApplication, args, { process }));

let folder: string, kubeconfig: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'controller-'));
  kubeconfig = join(folder, 'kubeconfig');
  const cluster = { server: 'https://127.0.0.1:1', 'insecure-skip-tls-verify': true };
  writeFileSync(
    kubeconfig,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'here',
      clusters: [{ name: 'here', cluster }],
      users: [{ name: 'here', user: {} }],
      contexts: [{ name: 'here', context: { cluster: 'here', user: 'here' } }],
    }),
  );
  vi.stubEnv('CLUSTER_NAME', '');
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

test.each<readonly [string, readonly string[], RegExp]>([
  ['the name of the cluster', [], /^error: --cluster-name: is required, here or as CLUSTER_NAME$/],
  [
    'what a setting takes, for every wrong one at once',
    ['--cluster-name', 'x', '--batch-max-duration', 'soon', '--kube-client-qps', 'many'],
    /--batch-max-duration[^\n]*soon[^\n]*--kube-client-qps[^\n]*many|--kube-client-qps[^\n]*many[^\n]*--batch-max-duration[^\n]*soon/,
  ],
  [
    'which kubeconfig is not there',
    ['--cluster-name', 'x', '--kubeconfig', '/nowhere/config'],
    /^error: --kubeconfig \/nowhere\/config: there is no such file or folder$/,
  ],
])('a controller that cannot start says %s', async (_, args, words) => {
  const { status, out, err } = await type('controller', ...args);
  expect([status, out]).toEqual([2, '']);
  expect(err).toMatch(words);
});

test('a context that there is not is told with those that there are', async () => {
  const args = ['--cluster-name', 'x', '--kubeconfig', kubeconfig, '--context', 'there'];
  expect(await type('controller', ...args)).toEqual({
    status: 2,
    out: '',
    err: `error: --kubeconfig ${kubeconfig}: there is no context "there"; the kubeconfig has here`,
  });
});

test('a clock that is no URL, or that nothing answers at, is refused', async () => {
  const args = ['--cluster-name', 'x', '--kubeconfig', kubeconfig, '--clock', 'here'];
  expect(await type('controller', ...args)).toEqual({
    status: 2,
    out: '',
    err: 'error: --clock: must be the URL in NODEWRIGHT_SANDBOX, not "here"',
  });
});

test('every setting is a flag of its help', async () => {
  const { status, out } = await type('controller', '--help');
  expect(status).toBe(0);
  const flagOf = (name: string): string => `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
  expect(settingNames.filter((name) => !out.includes(flagOf(name)))).toEqual([]);
});
