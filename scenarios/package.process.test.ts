import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage } from '../scripts/image/build-image.ts';
import { makeSavedImage } from '../scripts/image/made-base.ts';
import { readRelease, readReleaseFiles } from '../scripts/release/release-files.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'nodewright-packed-'));
const unpacked = join(folder, 'package');

let packedBytes = 0;

beforeAll(() => {
  const script = ['--import', 'tsx', join(root, 'scripts/package.ts')];
  const packed = execFileSync(process.execPath, [...script, '--out', folder], { cwd: root, encoding: 'utf8' });
  const file = packed.trim().split('\n').at(-1) ?? '';
  packedBytes = statSync(file).size;
  execFileSync('tar', ['-xzf', file, '-C', folder]);
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
    'sbom.cdx.json',
  ]);
});

test.each([
  ['20.19.0', '--interrupt-budget=400000\n'],
  ['22.12.0', ''],
])('of Node.js %s the command sets only flags that it knows', (node, flags) => {
  const preload = `
    import v8 from 'node:v8';
    v8.setFlagsFromString = (flag) => process.stderr.write(flag + '\\n');
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${node}' } });`;
  const args = [
    '--import',
    `data:text/javascript,${encodeURIComponent(preload)}`,
    join(unpacked, 'bin/nodewright.mjs'),
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, [...args, '--version'], { encoding: 'utf8' });
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '0.1.0\n', stderr: flags });
});

test.each([
  ['README.md', /`nodewright-[\d.]+\.tgz`, ([\d.]+) MB/],
  ['docs/dependencies.md', /install one file of about ([\d.]+) MB/],
])('%s says how large it is', (page, size) => {
  const [, said = ''] = size.exec(readFileSync(join(root, page), 'utf8')) ?? [];
  expect(Math.abs(Number(said) - packedBytes / 1e6)).toBeLessThan(0.15);
});

test('the bill of materials and the licences list the packages of the bundle, and the image is small and repeatable', async () => {
  const bundled = ['dist', 'dist/page'].flatMap(
    (folder) => JSON.parse(readFileSync(join(unpacked, folder, 'bundled-packages.json'), 'utf8')) as readonly string[],
  );
  const sbom = JSON.parse(readFileSync(join(unpacked, 'sbom.cdx.json'), 'utf8')) as { components: { name: string }[] };
  expect(sbom.components).toHaveLength(bundled.length);
  expect(sbom.components.map(({ name }) => name)).toEqual(expect.arrayContaining(['d3-scale', 'preact', 'yaml']));
  expect(sbom.components.map(({ name }) => name)).not.toContain('vitest');
  const licenses = readFileSync(join(unpacked, 'THIRD_PARTY_LICENSES'), 'utf8');
  for (const { name } of sbom.components) expect(licenses).toContain(`${name} `);

  const release = readRelease(root);
  const base = await makeSavedImage();
  const build = () =>
    buildImage({
      base,
      name: 'nodewright:0.1.0',
      content: { files: readReleaseFiles(root, release), labels: {}, createdAt: release.createdAt },
    });
  const image = await build();
  expect(image.length).toBeLessThan(90_000_000);
  expect((await build()).equals(image)).toBe(true);
});

test('the packed command works outside a checkout', () => {
  expect(run('--version').trim()).toBe('0.1.0');
  expect(run('story', '--speed', '100000', '--exit')).toContain('Bottlerocket');
  const manifests = join(unpacked, 'examples/upgrade-nodes-with-drift/bottlerocket.yaml');
  expect(run('convert', '-f', manifests)).toContain('karpenter.k8s.aws/v1');
});
