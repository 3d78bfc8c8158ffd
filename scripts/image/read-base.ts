import { posix } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { BaseImageError } from './base-image-error.ts';
import { readLayout } from './read-layout.ts';
import { readSavedImage } from './read-saved-image.ts';
import { printPlatform, type Image } from './oci.ts';
import { readTar, type TarEntry } from './tar.ts';

const isGzip = (bytes: Buffer): boolean => bytes[0] === 0x1f && bytes[1] === 0x8b;

function decompress(archive: Buffer): Buffer {
  if (!isGzip(archive)) return archive;
  try {
    return gunzipSync(archive);
  } catch {
    throw new BaseImageError('the base is compressed and cannot be read to its end');
  }
}

async function readEntries(archive: Buffer): Promise<readonly TarEntry[]> {
  try {
    return await readTar(archive);
  } catch (error) {
    throw new BaseImageError(`the base is no whole tar archive: ${error instanceof Error ? error.message : ''}`);
  }
}

/** Files by path. `docker save` of old links a layer that is there twice. */
function indexFiles(entries: readonly TarEntry[]): ReadonlyMap<string, Buffer> {
  const files = new Map(entries.flatMap(({ path, kind, bytes }) => (kind === 'file' ? [[path, bytes] as const] : [])));
  for (const { path, kind, target } of entries) {
    const linked = kind === 'hardLink' ? target : posix.join(posix.dirname(path), target);
    const bytes = kind === 'symbolicLink' || kind === 'hardLink' ? files.get(linked) : undefined;
    if (bytes !== undefined) files.set(path, bytes);
  }
  return files;
}

function readImages(files: ReadonlyMap<string, Buffer>): readonly Image[] {
  if (files.has('oci-layout')) return readLayout(files);
  if (files.has('manifest.json')) return readSavedImage(files);
  throw new BaseImageError(
    'the base is no image: it has neither oci-layout nor manifest.json. ' +
      'Give what `docker save` or `skopeo copy docker://IMAGE oci-archive:FILE` writes, not the file system of an image',
  );
}

/**
 * Reads the images of a base: an OCI layout in a tar archive, or what `docker save` writes, compressed with gzip or not.
 * @param platform only the image for this platform, as `linux/arm64`
 * @throws BaseImageError with what is wrong with the base
 */
export async function readBase(archive: Buffer, platform?: string): Promise<readonly Image[]> {
  const images = readImages(indexFiles(await readEntries(decompress(archive))));
  const known = images.map((image) => printPlatform(image.platform));
  const others = images.filter((image) => image.platform.os !== 'linux').map((image) => printPlatform(image.platform));
  if (others.length > 0 && platform === undefined)
    throw new BaseImageError(`the base is for ${others.join(', ')}; the controller needs linux`);
  const chosen = images.filter((_, at) => platform === undefined || known[at] === platform);
  if (chosen.length === 0)
    throw new BaseImageError(
      `the base has no image for ${platform ?? 'any platform'}; it has ${known.join(', ') || 'none'}`,
    );
  return chosen;
}
