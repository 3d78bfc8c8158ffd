import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BaseImageError } from './base-image-error.ts';
import { asList, asRecord, asText, type Image, type Layer } from './oci.ts';
import { readTar } from './tar.ts';

const usualPath = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Where images without a shell have it, which need no PATH. */
const otherPlaces = ['/nodejs/bin'];

/** The paths that a layer has; none where its compression cannot be read here. */
async function pathsOf({ blob }: Layer): Promise<readonly string[] | undefined> {
  if (blob.descriptor.mediaType.endsWith('+zstd')) return undefined;
  const archive = blob.descriptor.mediaType.endsWith('+gzip') ? gunzipSync(blob.bytes) : blob.bytes;
  return (await readTar(archive)).map(({ path }) => `/${path}`);
}

const variablesOf = (image: Image): ReadonlyMap<string, string> =>
  new Map(
    asList(asRecord(image.config['config'])['Env']).map((variable) => {
      const [name = '', ...value] = asText(variable).split('=');
      return [name, value.join('=')] as const;
    }),
  );

/** The least minor version of each major version that runs the command; every later major version does. */
const runs = ([major = 0, minor = 0]: readonly number[]): boolean =>
  (major === 20 && minor >= 19) || (major === 22 && minor >= 12) || major > 22;

function checkVersion(version: string | undefined): void {
  if (version === undefined || runs(version.split('.').map(Number))) return;
  throw new BaseImageError(`the base has Node.js ${version}; the command needs 20.19, or 22.12 and later`);
}

/**
 * Where the base has Node.js: in a folder of its PATH, or where images without a shell have it.
 * @throws BaseImageError where it has none, or one that is too old
 */
export async function findNode(image: Image): Promise<string> {
  const variables = variablesOf(image);
  const folders = [...(variables.get('PATH') ?? usualPath).split(':'), ...otherPlaces];
  const paths = await Promise.all(image.layers.map(pathsOf));
  const known = new Set(paths.flatMap((found) => found ?? []));
  const found = folders.map((folder) => posix.join(folder, 'node')).find((path) => known.has(path));
  checkVersion(variables.get('NODE_VERSION'));
  if (found !== undefined) return found;
  if (paths.includes(undefined))
    throw new BaseImageError(
      'the base has layers in zstd, which are not searched: say where its Node.js is with --node PATH',
    );
  throw new BaseImageError(
    'the base has no Node.js on its PATH: give a base with Node.js, or add the one that runs here with --with-node',
  );
}
