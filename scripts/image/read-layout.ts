import { BaseImageError } from './base-image-error.ts';
import { asList, asRecord, asText, digestOf, mediaTypes, type Blob, type Image } from './oci.ts';
import { assembleImage, parseDocument } from './read-config.ts';

type Files = ReadonlyMap<string, Buffer>;
type Reference = Readonly<Record<string, unknown>>;

/** Docker's names of the media types, which are the same formats. */
const dockerMediaTypes: Readonly<Record<string, string>> = {
  'application/vnd.docker.image.rootfs.diff.tar': mediaTypes.layer,
  'application/vnd.docker.image.rootfs.diff.tar.gzip': `${mediaTypes.layer}+gzip`,
  'application/vnd.docker.image.rootfs.diff.tar.zstd': `${mediaTypes.layer}+zstd`,
};

function readBlob(files: Files, reference: Reference): Blob {
  const [digest, mediaType] = [asText(reference['digest']), asText(reference['mediaType'])];
  const bytes = files.get(`blobs/${digest.replace(':', '/')}`);
  if (bytes === undefined) throw new BaseImageError(`the base lacks the blob ${digest}, which it refers to`);
  if (digest.startsWith('sha256:') && digestOf(bytes) !== digest)
    throw new BaseImageError(`the blob ${digest} of the base has other content: the file is damaged`);
  if (reference['size'] !== bytes.length)
    throw new BaseImageError(
      `the blob ${digest} of the base has ${bytes.length} bytes, not ${String(reference['size'])}`,
    );
  return { descriptor: { mediaType, digest, size: bytes.length }, bytes };
}

function readLayer(files: Files, reference: Reference): Blob {
  const { descriptor, bytes } = readBlob(files, reference);
  const mediaType = dockerMediaTypes[descriptor.mediaType] ?? descriptor.mediaType;
  if (!mediaType.startsWith(mediaTypes.layer))
    throw new BaseImageError(`the base has a layer of the type ${mediaType}, which is no file system`);
  return { descriptor: { ...descriptor, mediaType }, bytes };
}

/** Attestations of builds stand among the images, with a platform that does not exist. */
const isAttestation = (reference: Reference): boolean => asRecord(reference['platform'])['os'] === 'unknown';

function readManifest(files: Files, reference: Reference): readonly Image[] {
  if (isAttestation(reference)) return [];
  const document = parseDocument('a manifest', readBlob(files, reference).bytes);
  const nested = asList(document['manifests']).map(asRecord);
  if (nested.length > 0) return nested.flatMap((inner) => (isAbsent(files, inner) ? [] : readManifest(files, inner)));
  const config = parseDocument('the configuration', readBlob(files, asRecord(document['config'])).bytes);
  const blobs = asList(document['layers']).map((layer) => readLayer(files, asRecord(layer)));
  return [assembleImage(config, (diffIds) => blobs.map((blob, at) => ({ blob, diffId: diffIds[at] ?? '' })))];
}

/** `docker save` leaves images for platforms in the index that it did not fetch. */
const isAbsent = (files: Files, reference: Reference): boolean =>
  !files.has(`blobs/${asText(reference['digest']).replace(':', '/')}`);

/** Reads the images of an OCI layout, one for each platform. */
export function readLayout(files: Files): readonly Image[] {
  const index = files.get('index.json');
  if (index === undefined) throw new BaseImageError('the base has oci-layout and no index.json');
  const references = asList(parseDocument('index.json', index)['manifests']).map(asRecord);
  if (references.length === 0) throw new BaseImageError('index.json of the base lists no image');
  return references.flatMap((reference) => readManifest(files, reference));
}
