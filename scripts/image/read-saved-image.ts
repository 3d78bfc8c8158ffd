import { BaseImageError } from './base-image-error.ts';
import { asList, asRecord, asText, describeBlob, digestOf, mediaTypes, type Image, type Layer } from './oci.ts';
import { assembleImage, parseDocument } from './read-config.ts';

type Files = ReadonlyMap<string, Buffer>;

function fileOf(files: Files, path: string): Buffer {
  const bytes = files.get(path);
  if (bytes === undefined) throw new BaseImageError(`the base lacks ${path}, which its manifest.json names`);
  return bytes;
}

/** Layers are stored as they are unpacked, so their digests are those of the configuration. */
function readLayer(files: Files, path: string, diffId: string): Layer {
  const blob = describeBlob(mediaTypes.layer, fileOf(files, path));
  if (digestOf(blob.bytes) !== diffId)
    throw new BaseImageError(`the layer ${path} of the base is not ${diffId}: the file is damaged`);
  return { blob, diffId };
}

/** Reads the image that `docker save` wrote. */
export function readSavedImage(files: Files): readonly Image[] {
  const images = asList(JSON.parse(fileOf(files, 'manifest.json').toString('utf8'))).map(asRecord);
  const [image] = images;
  if (image === undefined || images.length > 1)
    throw new BaseImageError(`the base has ${images.length} images; save the one to build on`);
  const paths = asList(image['Layers']).map(asText);
  const config = parseDocument('the configuration', fileOf(files, asText(image['Config'])));
  return [assembleImage(config, (diffIds) => paths.map((path, at) => readLayer(files, path, diffIds[at] ?? '')))];
}
