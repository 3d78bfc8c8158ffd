import { BaseImageError } from './base-image-error.ts';
import { asList, asRecord, asText, type Image, type Layer, type Platform } from './oci.ts';

/** Parses a document of the base. */
export function parseDocument(name: string, bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    return asRecord(JSON.parse(bytes.toString('utf8')));
  } catch {
    throw new BaseImageError(`${name} of the base is no JSON`);
  }
}

/** The platform that a configuration or a descriptor has. */
export function readPlatform(document: Readonly<Record<string, unknown>>): Platform {
  const variant = asText(document['variant']);
  return {
    os: asText(document['os']),
    architecture: asText(document['architecture']),
    ...(variant === '' ? {} : { variant }),
  };
}

/** Puts layers and configuration of the base together. */
export function assembleImage(
  config: Readonly<Record<string, unknown>>,
  layersFor: (diffIds: readonly string[]) => readonly Layer[],
): Image {
  const diffIds = asList(asRecord(config['rootfs'])['diff_ids']).map(asText);
  const platform = readPlatform(config);
  if (platform.os === '' || platform.architecture === '')
    throw new BaseImageError('the configuration of the base names no platform (os, architecture)');
  const layers = layersFor(diffIds);
  if (layers.length !== diffIds.length)
    throw new BaseImageError(`the base has ${layers.length} layers, and its configuration lists ${diffIds.length}`);
  return { platform, config, layers };
}
