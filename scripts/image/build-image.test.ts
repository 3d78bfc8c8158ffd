import { gzipSync, gunzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { buildImage, type ImageRequest } from './build-image.ts';
import { makeLayout, makeSavedImage } from './made-base.ts';
import { asList, asRecord, asText, digestOf } from './oci.ts';
import { readTar, writeTar } from './tar.ts';

const content = {
  files: new Map([
    ['bin/nodewright.mjs', Buffer.from('start')],
    ['dist/chunks/one.mjs', Buffer.from('one')],
  ]),
  labels: { 'org.opencontainers.image.version': '0.1.0' },
  createdAt: new Date('2026-01-02T03:04:05Z'),
};

const build = (base: Buffer, more: Partial<ImageRequest> = {}): Promise<Buffer> =>
  buildImage({ base, name: 'registry:5000/nodewright:0.1.0', content, ...more });

const beginning = new Date(0);

const filesOf = async (archive: Buffer): Promise<ReadonlyMap<string, Buffer>> =>
  new Map((await readTar(archive)).filter(({ kind }) => kind === 'file').map(({ path, bytes }) => [path, bytes]));

type Checked = { readonly config: Readonly<Record<string, unknown>>; readonly layers: readonly Buffer[] };

/** Follows a layout from its index as the OCI image specification says, and fails where something does not hold. */
async function checkLayout(archive: Buffer): Promise<readonly Checked[]> {
  const files = await filesOf(archive);
  const followed = new Set<string>();
  const document = (bytes: Buffer) => asRecord(JSON.parse(bytes.toString('utf8')));
  const follow = (reference: Readonly<Record<string, unknown>>): Buffer => {
    const path = `blobs/${asText(reference['digest']).replace(':', '/')}`;
    const bytes = files.get(path) ?? Buffer.alloc(0);
    expect(digestOf(bytes)).toBe(reference['digest']);
    expect(bytes.length).toBe(reference['size']);
    followed.add(path);
    return bytes;
  };
  const image = (reference: Readonly<Record<string, unknown>>): readonly Checked[] => {
    const manifest = document(follow(reference));
    expect(manifest['schemaVersion']).toBe(2);
    if (manifest['manifests'] !== undefined)
      return asList(manifest['manifests']).flatMap((each) => image(asRecord(each)));
    const config = document(follow(asRecord(manifest['config'])));
    const layers = asList(manifest['layers']).map((each) => {
      const layer = asRecord(each);
      expect(layer['mediaType']).toMatch(/^application\/vnd\.oci\.image\.layer\.v1\.tar(\+gzip)?$/);
      return asText(layer['mediaType']).endsWith('gzip') ? gunzipSync(follow(layer)) : follow(layer);
    });
    expect(asRecord(config['rootfs'])).toEqual({ type: 'layers', diff_ids: layers.map(digestOf) });
    expect(asList(config['history'])).toHaveLength(layers.length);
    return [{ config, layers }];
  };
  expect(document(files.get('oci-layout') ?? Buffer.alloc(0))).toEqual({ imageLayoutVersion: '1.0.0' });
  const index = document(files.get('index.json') ?? Buffer.alloc(0));
  const images = asList(index['manifests']).flatMap((each) => image(asRecord(each)));
  expect([...files.keys()].filter((path) => path.startsWith('blobs/')).toSorted()).toEqual([...followed].toSorted());
  return images;
}

for (const { fact, base } of [
  { fact: 'an OCI layout', base: await makeLayout({}) },
  { fact: 'a compressed OCI layout', base: gzipSync(await makeLayout({})) },
  { fact: 'what docker save writes', base: await makeSavedImage() },
])
  test(`an image on ${fact} is a valid layout, runs as nobody and keeps the environment of its base`, async () => {
    const image = await build(base);
    const [checked, ...others] = await checkLayout(image);
    expect(others).toEqual([]);
    expect(checked?.layers).toHaveLength(2);
    expect(checked?.config).toMatchObject({ os: 'linux', architecture: 'amd64', created: '2026-01-02T03:04:05.000Z' });
    expect(checked?.config['config']).toEqual({
      Env: ['PATH=/usr/local/bin:/usr/bin'],
      User: '65532:65532',
      WorkingDir: '/',
      ExposedPorts: { '8080/tcp': {}, '8081/tcp': {} },
      Entrypoint: ['/usr/local/bin/node', '/nodewright/bin/nodewright.mjs'],
      Labels: { vendor: 'somewhere', 'org.opencontainers.image.version': '0.1.0' },
    });
    expect([...(await filesOf(checked?.layers[1] ?? Buffer.alloc(0))).keys()]).toEqual([
      'nodewright/bin/nodewright.mjs',
      'nodewright/dist/chunks/one.mjs',
    ]);
    const saved = JSON.parse((await filesOf(image)).get('manifest.json')?.toString('utf8') ?? '') as unknown[];
    expect(saved).toMatchObject([{ RepoTags: ['registry:5000/nodewright:0.1.0'] }]);
  });

test('two images of equal contents are equal bytes, in whatever order files are found', async () => {
  const reversed = new Map([...content.files].toReversed());
  const image = await build(await makeLayout({}), { content: { ...content, files: reversed } });
  expect(image.equals(await build(await makeLayout({})))).toBe(true);
});

test('a base for several platforms gives an image for each, or for the one that is named', async () => {
  const base = await makeLayout({}, { platform: { os: 'linux', architecture: 'arm64', variant: 'v8' } });
  const platforms = async (image: Promise<Buffer>) =>
    (await checkLayout(await image)).map(({ config }) => config['architecture']);
  expect(await platforms(build(base))).toEqual(['amd64', 'arm64']);
  expect(await platforms(build(base, { platform: 'linux/arm64/v8' }))).toEqual(['arm64']);
});

test('a Node.js binary comes in a layer of its own', async () => {
  const node = { binary: Buffer.from('binary'), architecture: 'amd64' };
  const [checked] = await checkLayout(await build(await makeLayout({ files: ['etc/passwd'] }), { node }));
  const first = await Promise.all((checked?.layers ?? []).map(async (layer) => [...(await filesOf(layer)).keys()][0]));
  expect(first).toEqual(['etc/passwd', 'nodewright/node', 'nodewright/bin/nodewright.mjs']);
  expect(asRecord(checked?.config['config'])['Entrypoint']).toEqual([
    '/nodewright/node',
    '/nodewright/bin/nodewright.mjs',
  ]);
});

test('Node.js is found in images without a shell, too', async () => {
  const [checked] = await checkLayout(await build(await makeLayout({ files: ['nodejs/bin/node'] })));
  expect(asList(asRecord(checked?.config['config'])['Entrypoint'])[0]).toBe('/nodejs/bin/node');
});

const without = async (archive: Buffer, pattern: RegExp): Promise<Buffer> =>
  writeTar(
    [...(await filesOf(archive))]
      .filter(([path]) => !pattern.test(path))
      .map(([path, bytes]) => ({ path, mode: 0o644, bytes })),
    beginning,
  );

const damaged = async (archive: Buffer): Promise<Buffer> =>
  writeTar(
    [...(await filesOf(archive))].map(([path, bytes]) => ({
      path,
      mode: 0o644,
      bytes: path.startsWith('blobs/') ? Buffer.concat([bytes, Buffer.from(' ')]) : bytes,
    })),
    beginning,
  );

const arm64Node = { binary: Buffer.from('binary'), architecture: 'arm64' };

for (const { base, more = {}, message } of [
  { base: Buffer.from('no archive '.repeat(100)), message: 'no whole tar archive: Invalid tar header' },
  { base: (await makeLayout({})).subarray(0, -1530), message: 'no whole tar archive: Unexpected end of data' },
  { base: gzipSync(await makeLayout({})).subarray(0, 100), message: 'compressed and cannot be read to its end' },
  {
    base: await writeTar([{ path: 'etc/passwd', mode: 0o644, bytes: Buffer.from('') }], beginning),
    message: 'not the file system',
  },
  { base: await without(await makeLayout({}), /index/), message: 'has oci-layout and no index.json' },
  { base: await makeLayout(), message: 'lists no image' },
  { base: await damaged(await makeLayout({})), message: 'has other content: the file is damaged' },
  { base: await without(await makeSavedImage(), /layer/), message: 'lacks one/layer.tar' },
  { base: await makeLayout({ platform: { os: 'windows', architecture: 'amd64' } }), message: 'is for windows/amd64' },
  {
    base: await makeLayout({}),
    more: { platform: 'linux/arm64' },
    message: 'no image for linux/arm64; it has linux/amd64',
  },
  { base: await makeLayout({ files: ['etc/passwd'] }), message: 'add the one that runs here with --with-node' },
  { base: await makeLayout({ variables: ['NODE_VERSION=18.20.4'] }), message: 'the base has Node.js 18.20.4' },
  { base: await makeLayout({}), more: { node: arm64Node }, message: 'for arm64; the base is for linux/amd64' },
] as const)
  test(`a base is refused: ${message}`, async () => {
    await expect(build(base, more)).rejects.toThrow(message);
  });
