import { createHash } from 'node:crypto';

/** The media types of the OCI image specification that are written. */
export const mediaTypes = {
  index: 'application/vnd.oci.image.index.v1+json',
  manifest: 'application/vnd.oci.image.manifest.v1+json',
  config: 'application/vnd.oci.image.config.v1+json',
  layer: 'application/vnd.oci.image.layer.v1.tar',
} as const;

export type Platform = {
  readonly os: string;
  readonly architecture: string;
  readonly variant?: string;
};

/** A reference to a blob. */
export type Descriptor = {
  readonly mediaType: string;
  readonly digest: string;
  readonly size: number;
  readonly platform?: Platform;
  readonly annotations?: Readonly<Record<string, string>>;
};

/** A blob with its descriptor. */
export type Blob = { readonly descriptor: Descriptor; readonly bytes: Buffer };

/** One layer: what is stored, and the digest of its archive before compression. */
export type Layer = { readonly blob: Blob; readonly diffId: string };

/** An image for one platform. The configuration has the fields of the base that are not listed in `rootfs`. */
export type Image = {
  readonly platform: Platform;
  readonly config: Readonly<Record<string, unknown>>;
  readonly layers: readonly Layer[];
};

/** The digest of bytes, as descriptors have it. */
export const digestOf = (bytes: Uint8Array): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** Bytes with a descriptor. */
export const describeBlob = (mediaType: string, bytes: Buffer): Blob => ({
  descriptor: { mediaType, digest: digestOf(bytes), size: bytes.length },
  bytes,
});

/** A document as a blob. */
export const describeDocument = (mediaType: string, document: unknown): Blob =>
  describeBlob(mediaType, Buffer.from(JSON.stringify(document)));

/** A platform as people write it: `linux/arm64/v8`. */
export const printPlatform = ({ os, architecture, variant }: Platform): string =>
  [os, architecture, ...(variant === undefined ? [] : [variant])].join('/');

/** A value as an object; none where it is not one. */
export const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};

/** A value as a list; empty where it is none. */
export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** A value as a text; empty where it is none. */
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');
