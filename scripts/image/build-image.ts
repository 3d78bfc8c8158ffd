import { BaseImageError } from './base-image-error.ts';
import { composeImage, type ImageContent } from './compose-image.ts';
import { findNode } from './find-node.ts';
import { printPlatform, type Image } from './oci.ts';
import { readBase } from './read-base.ts';
import { writeLayout } from './write-layout.ts';

/** What an image is built from. */
export type ImageRequest = {
  readonly base: Buffer;
  /** What the image is called when it is loaded. */
  readonly name: string;
  readonly content: Omit<ImageContent, 'nodePath' | 'node'>;
  /** Only for this platform, as `linux/arm64`. */
  readonly platform?: string;
  /** Where the base has Node.js; searched otherwise. */
  readonly nodePath?: string;
  /** A Node.js binary to put into the image, and the architecture that it is for. */
  readonly node?: { readonly binary: Uint8Array; readonly architecture: string };
};

/** What is put on one base: with the Node.js of the request, or the one that the base has. */
async function contentFor(base: Image, { content, nodePath, node }: ImageRequest): Promise<ImageContent> {
  if (node === undefined) return { ...content, nodePath: nodePath ?? (await findNode(base)) };
  if (base.platform.architecture !== node.architecture)
    throw new BaseImageError(
      `--with-node adds the binary that runs here, which is for ${node.architecture}; the base is for ${printPlatform(base.platform)}`,
    );
  return { ...content, node: node.binary, nodePath: '/nodewright/node' };
}

/**
 * Builds an image on a base, for every platform that the base has.
 * @returns an OCI layout in a tar archive; equal requests give equal bytes
 * @throws BaseImageError with what is wrong with the base
 */
export async function buildImage(request: ImageRequest): Promise<Buffer> {
  const bases = await readBase(request.base, request.platform);
  const images = await Promise.all(bases.map(async (base) => composeImage(base, await contentFor(base, request))));
  return writeLayout(images, request.name, request.content.createdAt);
}
