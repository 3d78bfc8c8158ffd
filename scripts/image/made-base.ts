import { gzipSync } from 'node:zlib';
import { describeBlob, describeDocument, digestOf, mediaTypes, type Blob, type Platform } from './oci.ts';
import { writeTar } from './tar.ts';

/** A small base for tests: files with one byte each, in one layer. */
export type MadeBase = {
  readonly platform?: Platform;
  readonly files?: readonly string[];
  readonly variables?: readonly string[];
};

const amd64: Platform = { os: 'linux', architecture: 'amd64' };
const file = (path: string, bytes: Uint8Array) => ({ path, mode: 0o644, bytes });

const layerOf = ({ files = ['usr/local/bin/node'] }: MadeBase): Buffer =>
  writeTar(
    files.map((path) => file(path, Buffer.from('x'))),
    0,
  );

const configOf = (base: MadeBase): unknown => ({
  ...(base.platform ?? amd64),
  config: {
    Env: ['PATH=/usr/local/bin:/usr/bin', ...(base.variables ?? [])],
    Cmd: ['node'],
    Labels: { vendor: 'somewhere', 'org.opencontainers.image.title': 'the base' },
  },
  rootfs: { type: 'layers', diff_ids: [digestOf(layerOf(base))] },
  history: [{ created_by: 'base' }],
});

type Described = { readonly manifest: Blob; readonly blobs: readonly Blob[]; readonly platform: Platform };

function describeMadeBase(base: MadeBase): Described {
  const layer = describeBlob('application/vnd.docker.image.rootfs.diff.tar.gzip', gzipSync(layerOf(base)));
  const config = describeDocument(mediaTypes.config, configOf(base));
  const document = { schemaVersion: 2, config: config.descriptor, layers: [layer.descriptor] };
  const manifest = describeDocument(mediaTypes.manifest, document);
  return { manifest, blobs: [manifest, config, layer], platform: base.platform ?? amd64 };
}

/** Bases as an OCI layout, one for each platform, with Docker's media type of layers. */
export function makeLayout(...bases: readonly MadeBase[]): Buffer {
  const described = bases.map(describeMadeBase);
  const manifests = described.map(({ manifest, platform }) => ({ ...manifest.descriptor, platform }));
  const blobs = described.flatMap((each) => each.blobs);
  return writeTar(
    [
      file('oci-layout', Buffer.from('{"imageLayoutVersion":"1.0.0"}')),
      file('index.json', Buffer.from(JSON.stringify({ schemaVersion: 2, manifests }))),
      ...blobs.map(({ descriptor, bytes }) => file(`blobs/${descriptor.digest.replace(':', '/')}`, bytes)),
    ],
    0,
  );
}

/** A base as `docker save` of old wrote it. */
export function makeSavedImage(base: MadeBase = {}): Buffer {
  const manifest = [{ Config: 'config.json', RepoTags: ['base:1'], Layers: ['one/layer.tar'] }];
  return writeTar(
    [
      file('manifest.json', Buffer.from(JSON.stringify(manifest))),
      file('config.json', Buffer.from(JSON.stringify(configOf(base)))),
      file('one/layer.tar', layerOf(base)),
    ],
    0,
  );
}
