import { gzipSync } from 'node:zlib';
import { describeBlob, describeDocument, digestOf, mediaTypes, type Blob, type Platform } from './oci.ts';
import { writeTar } from './tar.ts';

/** A small base for tests: files with one byte each, in one layer. */
export type MadeBase = {
  readonly platform?: Platform;
  readonly files?: readonly string[];
  readonly variables?: readonly string[];
};

/** The time of all files. */
const beginning = new Date(0);
const amd64: Platform = { os: 'linux', architecture: 'amd64' };
const file = (path: string, bytes: Uint8Array) => ({ path, mode: 0o644, bytes });

const layerOf = ({ files = ['usr/local/bin/node'] }: MadeBase): Promise<Buffer> =>
  writeTar(
    files.map((path) => file(path, Buffer.from('x'))),
    beginning,
  );

const configOf = (base: MadeBase, layer: Buffer): unknown => ({
  ...(base.platform ?? amd64),
  config: {
    Env: ['PATH=/usr/local/bin:/usr/bin', ...(base.variables ?? [])],
    Cmd: ['node'],
    Labels: { vendor: 'somewhere', 'org.opencontainers.image.title': 'the base' },
  },
  rootfs: { type: 'layers', diff_ids: [digestOf(layer)] },
  history: [{ created_by: 'base' }],
});

type Described = { readonly manifest: Blob; readonly blobs: readonly Blob[]; readonly platform: Platform };

async function describeMadeBase(base: MadeBase): Promise<Described> {
  const archive = await layerOf(base);
  const layer = describeBlob('application/vnd.docker.image.rootfs.diff.tar.gzip', gzipSync(archive));
  const config = describeDocument(mediaTypes.config, configOf(base, archive));
  const document = { schemaVersion: 2, config: config.descriptor, layers: [layer.descriptor] };
  const manifest = describeDocument(mediaTypes.manifest, document);
  return { manifest, blobs: [manifest, config, layer], platform: base.platform ?? amd64 };
}

/** Bases as an OCI layout, one for each platform, with Docker's media type of layers. */
export async function makeLayout(...bases: readonly MadeBase[]): Promise<Buffer> {
  const described = await Promise.all(bases.map(describeMadeBase));
  const manifests = described.map(({ manifest, platform }) => ({ ...manifest.descriptor, platform }));
  const blobs = described.flatMap((each) => each.blobs);
  return writeTar(
    [
      file('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')),
      file('index.json', Buffer.from(JSON.stringify({ schemaVersion: 2, manifests }))),
      ...blobs.map(({ descriptor, bytes }) => file(`blobs/${descriptor.digest.replace(':', '/')}`, bytes)),
    ],
    beginning,
  );
}

/** A base as `docker save` of old wrote it. */
export async function makeSavedImage(base: MadeBase = {}): Promise<Buffer> {
  const layer = await layerOf(base);
  const manifest = [{ Config: 'config.json', RepoTags: ['base:1'], Layers: ['one/layer.tar'] }];
  return writeTar(
    [
      file('manifest.json', Buffer.from(JSON.stringify(manifest))),
      file('config.json', Buffer.from(JSON.stringify(configOf(base, layer)))),
      file('one/layer.tar', layer),
    ],
    beginning,
  );
}
