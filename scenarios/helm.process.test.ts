import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startSandbox } from './support/running-sandbox.ts';

/** It is built from its Go module. Without it on the PATH the test is skipped. */
const program = 'helm';
const isInstalled = spawnSync(program, ['version']).status === 0;
const chart = join(import.meta.dirname, '../charts/nodewright');

test.skipIf(!isInstalled)(
  'the real helm installs, upgrades and removes the chart on the embedded EKS (skipped where `helm` is not on the PATH)',
  async () => {
    const sandbox = await startSandbox('--no-controller');
    try {
      const values = join(mkdtempSync(join(tmpdir(), 'helm-')), 'values.yaml');
      writeFileSync(values, 'image: registry.example.com/nodewright:0.1.0\nsettings: {clusterName: prod}\n');
      const helm = async (...args: readonly string[]) => {
        const { stdout, stderr, status } = await sandbox.run(program, [...args, '--namespace', 'karpenter']);
        expect(`${status} ${stderr}`).toBe('0 ');
        return stdout;
      };
      const installed = await helm('install', 'nodewright', chart, '--create-namespace', '--values', values);
      expect(installed).toContain('is installed in the namespace karpenter for the cluster prod');
      await helm('upgrade', 'nodewright', chart, '--values', values, '--set', 'replicas=3');
      expect(await helm('get', 'manifest', 'nodewright')).toContain('replicas: 3');
      await helm('uninstall', 'nodewright');
      expect(await helm('list', '--short')).toBe('');
    } finally {
      await sandbox.stop();
    }
  },
);
