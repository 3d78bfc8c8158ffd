import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { printLicenses, readBundledPackages } from './bundled-packages.ts';
import { buildSbom, type Release } from './sbom.ts';

/** What a release has, by paths with slashes. */
export type ReleaseFiles = ReadonlyMap<string, Uint8Array>;

const readManifest = (root: string, path: string): Readonly<Record<string, string>> =>
  JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as Record<string, string>;

/** When the release was made: `SOURCE_DATE_EPOCH`, or the time of its commit, so that two builds of a commit are equal. */
function readCreationTime(root: string): Date {
  const told = process.env['SOURCE_DATE_EPOCH'];
  if (told !== undefined) return new Date(Number(told) * 1000);
  try {
    const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8', stdio: 'pipe' });
    return new Date(Number(seconds) * 1000);
  } catch {
    return new Date(0);
  }
}

/** What the release is called. */
export function readRelease(root: string): Release {
  const { description = '', license = '' } = readManifest(root, '.');
  const { version = '' } = readManifest(root, 'packages/cli');
  return { version, description, license, createdAt: readCreationTime(root) };
}

const filesIn = (root: string, from: string, to: string): readonly (readonly [string, Uint8Array])[] =>
  readdirSync(join(root, from), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((file) => [`${to}/${relative(join(root, from), file).replaceAll(sep, '/')}`, readFileSync(file)] as const);

const printDocument = (document: unknown): Uint8Array => Buffer.from(`${JSON.stringify(document, undefined, 2)}\n`);

function describePackage(root: string, { version, description, license }: Release): unknown {
  const { engines } = readManifest(root, '.');
  const bin = 'bin/nodewright.mjs';
  const command = { 'kubectl-nodewright': bin, nodewright: bin };
  return { name: 'nodewright', version, description, license, type: 'module', engines, bin: command };
}

/**
 * What a release consists of: the launcher, the built bundle, the examples, the licences, the bill of materials and a
 * package.json without dependencies.
 * @param more components of the bill of materials beside the packages of the bundle
 */
export function readReleaseFiles(root: string, release: Release, more: readonly unknown[] = []): ReleaseFiles {
  const packages = readBundledPackages(root);
  return new Map([
    ...filesIn(root, 'packages/cli/bin', 'bin'),
    ...filesIn(root, 'packages/cli/dist', 'dist'),
    ...filesIn(root, 'examples', 'examples'),
    ...['LICENSE', 'README.md'].map((paper) => [paper, readFileSync(join(root, paper))] as const),
    ['THIRD_PARTY_LICENSES', Buffer.from(printLicenses(packages, root))],
    ['sbom.cdx.json', printDocument(buildSbom(release, packages, more))],
    ['package.json', printDocument(describePackage(root, release))],
  ]);
}
