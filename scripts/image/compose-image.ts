import { gzipSync } from 'node:zlib';
import { asList, asRecord, describeBlob, digestOf, mediaTypes, type Image, type Layer } from './oci.ts';
import { writeTar, type NewTarEntry } from './tar.ts';

/** A user that owns nothing, as images without a shell number it. */
const user = '65532:65532';

/** What is put on a base. */
export type ImageContent = {
  /** Below `/nodewright`. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  /** The binary to put at `/nodewright/node`; none where the base has one. */
  readonly node?: Uint8Array;
  /** Where Node.js is in the image. */
  readonly nodePath: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly createdAt: Date;
};

const modeOf = (path: string): number => (path.startsWith('bin/') ? 0o755 : 0o644);

/** The folders around files, each with a slash at its end. */
const foldersOf = (paths: readonly string[]): readonly string[] => [
  ...new Set(paths.flatMap((path) => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index + 1)))),
];

function archive(files: readonly NewTarEntry[], createdAt: Date): Promise<Buffer> {
  const folders = foldersOf(files.map(({ path }) => path)).map((path) => ({
    path,
    mode: 0o755,
    bytes: Buffer.alloc(0),
  }));
  return writeTar([...folders, ...files], createdAt);
}

/** A layer as it is unpacked: its bytes do not depend on how some release of zlib compresses. */
function plainLayer(bytes: Buffer): Layer {
  const blob = describeBlob(mediaTypes.layer, bytes);
  return { blob, diffId: blob.descriptor.digest };
}

const compressedLayer = (bytes: Buffer): Layer => ({
  blob: describeBlob(`${mediaTypes.layer}+gzip`, gzipSync(bytes, { level: 9 })),
  diffId: digestOf(bytes),
});

const commandLayer = async ({ files, createdAt }: ImageContent): Promise<Layer> =>
  plainLayer(
    await archive(
      [...files].map(([path, bytes]) => ({ path: `nodewright/${path}`, mode: modeOf(path), bytes })),
      createdAt,
    ),
  );

const nodeLayers = async ({ node, createdAt }: ImageContent): Promise<readonly Layer[]> =>
  node === undefined
    ? []
    : [compressedLayer(await archive([{ path: 'nodewright/node', mode: 0o755, bytes: node }], createdAt))];

/** Labels of the base that describe the base would describe the image wrongly. */
const keptLabels = (labels: unknown): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(asRecord(labels)).filter(([name]) => !name.startsWith('org.opencontainers.image.')),
  );

/** How the image runs: what the base says of its environment, and all else from here. */
function runConfig(base: Image, { nodePath, labels }: ImageContent): Readonly<Record<string, unknown>> {
  const config = asRecord(base.config['config']);
  return {
    Env: asList(config['Env']),
    User: user,
    WorkingDir: '/',
    ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
    Entrypoint: [nodePath, '/nodewright/bin/nodewright.mjs'],
    Labels: { ...keptLabels(config['Labels']), ...labels },
  };
}

/** Puts the command on a base. Equal bases and contents give equal images. */
export async function composeImage(base: Image, content: ImageContent): Promise<Image> {
  const added = [...(await nodeLayers(content)), await commandLayer(content)];
  const layers = [...base.layers, ...added];
  const created = content.createdAt.toISOString();
  const history = added.map(() => ({ created, created_by: 'npm run image', comment: 'nodewright' }));
  return {
    platform: base.platform,
    layers,
    config: {
      ...base.platform,
      created,
      config: runConfig(base, content),
      rootfs: { type: 'layers', diff_ids: layers.map(({ diffId }) => diffId) },
      history: [...asList(base.config['history']), ...history],
    },
  };
}
