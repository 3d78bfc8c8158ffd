import { byTextOf } from '@nodewright/apis';
import {
  asRecord,
  describeDocument,
  mediaTypes,
  printPlatform,
  type Blob,
  type Descriptor,
  type Image,
} from './oci.ts';
import { writeTar } from './tar.ts';

type Manifest = { readonly blob: Blob; readonly config: Blob; readonly image: Image };

function describeManifest(image: Image): Manifest {
  const config = describeDocument(mediaTypes.config, image.config);
  const document = {
    schemaVersion: 2,
    mediaType: mediaTypes.manifest,
    config: config.descriptor,
    layers: image.layers.map(({ blob }) => blob.descriptor),
    annotations: asRecord(asRecord(image.config['config'])['Labels']),
  };
  return { blob: describeDocument(mediaTypes.manifest, document), config, image };
}

const pathOf = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`;

/** What a name of an image says after its repository: `registry:5000/nodewright:0.1.0` has `0.1.0`. */
const tagOf = (name: string): string => /:([^:/]+)$/.exec(name)?.[1] ?? 'latest';

/** What `docker load` of old reads, which knows no index. It has one image. */
const savedManifest = ({ config, image }: Manifest, name: string): unknown => [
  {
    Config: pathOf(config.descriptor),
    RepoTags: [name],
    Layers: image.layers.map(({ blob }) => pathOf(blob.descriptor)),
  },
];

/** The one descriptor that the layout is entered by: of the image, or of an index with one image for each platform. */
function describeEntry(manifests: readonly Manifest[]): {
  readonly descriptor: Descriptor;
  readonly blobs: readonly Blob[];
} {
  const [first] = manifests;
  const described = manifests.map(({ blob, image }) => ({ ...blob.descriptor, platform: image.platform }));
  if (first !== undefined && manifests.length === 1)
    return { descriptor: described[0] ?? first.blob.descriptor, blobs: [] };
  const sorted = described.toSorted(byTextOf(({ platform }) => printPlatform(platform)));
  const index = describeDocument(mediaTypes.index, {
    schemaVersion: 2,
    mediaType: mediaTypes.index,
    manifests: sorted,
  });
  return { descriptor: index.descriptor, blobs: [index] };
}

/**
 * Writes images as an OCI layout in a tar archive. Equal images give equal bytes.
 * @param name what the image is called when it is loaded
 */
export function writeLayout(images: readonly Image[], name: string, createdAt: Date): Promise<Buffer> {
  const manifests = images.map(describeManifest);
  const entry = describeEntry(manifests);
  const annotations = { 'io.containerd.image.name': name, 'org.opencontainers.image.ref.name': tagOf(name) };
  const index = { schemaVersion: 2, mediaType: mediaTypes.index, manifests: [{ ...entry.descriptor, annotations }] };
  const blobs = [
    ...entry.blobs,
    ...manifests.flatMap(({ blob, config, image }) => [blob, config, ...image.layers.map((layer) => layer.blob)]),
  ];
  const documents = new Map<string, unknown>([
    ['oci-layout', { imageLayoutVersion: '1.0.0' }],
    ['index.json', index],
  ]);
  if (manifests.length === 1)
    for (const manifest of manifests) documents.set('manifest.json', savedManifest(manifest, name));
  const files = new Map<string, Uint8Array>([
    ...[...documents].map(([path, document]) => [path, Buffer.from(JSON.stringify(document))] as const),
    ...blobs.map(({ descriptor, bytes }) => [pathOf(descriptor), bytes] as const),
  ]);
  const folders = ['blobs/', 'blobs/sha256/'].map((path) => ({ path, mode: 0o755, bytes: Buffer.alloc(0) }));
  const entries = [...files].map(([path, bytes]) => ({ path, mode: 0o644, bytes }));
  return writeTar([...folders, ...entries], createdAt);
}
