import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'nodewright-packed-'));
const unpacked = join(folder, 'package');

beforeAll(() => {
  const packed = execFileSync(process.execPath, [join(root, 'scripts/package.mjs'), '--out', folder], {
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', packed.trim(), '-C', folder]);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const run = (...args: readonly string[]): string =>
  execFileSync(process.execPath, [join(unpacked, 'bin/nodewright.mjs'), ...args], { cwd: folder, encoding: 'utf8' });

test('the packed command installs nothing else', () => {
  const manifest = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8')) as Record<string, unknown>;
  expect(Object.keys(manifest).filter((key) => /dependencies/i.test(key))).toEqual([]);
  const bin = 'bin/nodewright.mjs';
  expect(manifest['bin']).toEqual({ nodewright: bin, 'kubectl-nodewright': bin });
  expect(readdirSync(unpacked).toSorted()).toEqual([
    'LICENSE',
    'README.md',
    'THIRD_PARTY_LICENSES',
    'bin',
    'dist',
    'examples',
    'package.json',
  ]);
});

test('the packed command works outside a checkout', () => {
  expect(run('--version').trim()).toBe('0.1.0');
  expect(run('story', '--speed', '100000', '--exit')).toContain('Bottlerocket');
  const manifests = join(unpacked, 'examples/upgrade-nodes-with-drift/bottlerocket.yaml');
  expect(run('convert', '-f', manifests)).toContain('karpenter.k8s.aws/v1');
});
