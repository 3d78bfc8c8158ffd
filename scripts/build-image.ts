/** Builds the image of the controller without Docker: `npm run image -- --help` lists the flags. */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readFlags, refuseFlags } from './flags/read-flags.ts';
import { BaseImageError } from './image/base-image-error.ts';
import { buildImage } from './image/build-image.ts';
import { digestOf } from './image/oci.ts';
import { printSize } from './release/print-size.ts';
import { readRelease, readReleaseFiles } from './release/release-files.ts';
import { nodeComponent, type Release } from './release/sbom.ts';

const root = join(import.meta.dirname, '..');

/** Node.js names one architecture in another way than images do. */
const architectureHere = process.arch === 'x64' ? 'amd64' : process.arch;

function readRevision(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return '';
  }
}

function labelsOf({ version, description, license, createdAt }: Release): Readonly<Record<string, string>> {
  const revision = readRevision();
  return {
    'org.opencontainers.image.title': 'nodewright',
    'org.opencontainers.image.description': description,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.licenses': license,
    'org.opencontainers.image.created': createdAt.toISOString(),
    ...(revision === '' ? {} : { 'org.opencontainers.image.revision': revision }),
  };
}

function readImageFlags() {
  const values = readFlags(
    { command: 'npm run image --', brief: 'Builds the image of the controller, without Docker and without a network.' },
    {
      base: { value: 'FILE', brief: 'the base, an archive of `docker save` or an OCI layout; required' },
      output: { value: 'FILE', brief: 'where the image is written [nodewright-VERSION.oci.tar]' },
      name: { value: 'NAME', brief: 'what the image is called [nodewright:VERSION]' },
      platform: { value: 'linux/ARCHITECTURE', brief: 'this platform of the base alone' },
      node: { value: 'PATH', brief: 'where the base has Node.js' },
      'with-node': { brief: 'puts the Node.js of this process into the image' },
    },
  );
  const { base } = values;
  if (base === undefined) return refuseFlags('--base FILE is required; see npm run image -- --help');
  if (values.node !== undefined && values['with-node']) refuseFlags('--node and --with-node exclude each other');
  return { ...values, base };
}

function readBaseFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new BaseImageError(`the base cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

async function run(): Promise<void> {
  const flags = readImageFlags();
  const release = readRelease(root);
  const withNode = flags['with-node'];
  const components = withNode ? [nodeComponent(process.versions.node)] : [];
  const name = flags.name ?? `nodewright:${release.version}`;
  const image = await buildImage({
    base: readBaseFile(flags.base),
    name,
    content: {
      files: readReleaseFiles(root, release, components),
      labels: labelsOf(release),
      createdAt: release.createdAt,
    },
    ...(flags.platform === undefined ? {} : { platform: flags.platform }),
    ...(flags.node === undefined ? {} : { nodePath: flags.node }),
    ...(withNode ? { node: { binary: readFileSync(process.execPath), architecture: architectureHere } } : {}),
  });
  const output = resolve(flags.output ?? `nodewright-${release.version}.oci.tar`);
  writeFileSync(output, image);
  console.log(`image ${name}, ${printSize(image.length)} with its base\n${output}\n${digestOf(image)}`);
}

try {
  await run();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  console.error(error.message);
  process.exitCode = error instanceof BaseImageError ? 1 : 2;
}
