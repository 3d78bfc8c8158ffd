import { posix } from 'node:path';
import { byTextOf } from '@nodewright/apis';
import { extract, pack, type Header } from 'tar-stream';

/** What a tar archive has below a path. `target` is there for links. */
export type TarEntry = {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'hardLink' | 'symbolicLink' | 'other';
  readonly target: string;
  readonly bytes: Buffer;
};

/** A file or a directory of an archive to write. A path that ends with a slash is a directory. */
export type NewTarEntry = { readonly path: string; readonly mode: number; readonly bytes: Uint8Array };

const kinds: Readonly<Partial<Record<Header['type'], TarEntry['kind']>>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'directory',
  link: 'hardLink',
  symlink: 'symbolicLink',
};

/** The bytes of a stream in one piece. */
async function readBytes(chunks: AsyncIterable<unknown>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) if (chunk instanceof Uint8Array) all.push(chunk);
  return Buffer.concat(all);
}

const withoutRoot = (path: string): string => posix.normalize(path).replace(/^\/+/, '');

/**
 * Reads an archive in the ustar, pax or GNU form. Paths lose a leading `./` or `/`.
 * @throws Error where the archive ends within an entry or a header has a wrong checksum
 */
export async function readTar(archive: Buffer): Promise<readonly TarEntry[]> {
  const reader = extract();
  reader.end(archive);
  const entries: TarEntry[] = [];
  for await (const entry of reader) {
    const { name, type, linkname } = entry.header;
    const kind = kinds[type] ?? 'other';
    const target = kind === 'hardLink' || kind === 'symbolicLink' ? linkname : '';
    entries.push({ path: withoutRoot(name), kind, target, bytes: await readBytes(entry) });
  }
  return entries;
}

/**
 * Writes an archive: entries in the order of their paths, all owned by root and of one time. Equal entries give equal bytes.
 */
export async function writeTar(entries: readonly NewTarEntry[], mtime: Date): Promise<Buffer> {
  const writer = pack();
  for (const { path, mode, bytes } of entries.toSorted(byTextOf((entry) => entry.path))) {
    const type = path.endsWith('/') ? 'directory' : 'file';
    writer.entry({ name: path, mode, mtime, type, size: bytes.length }, Buffer.from(bytes));
  }
  writer.finalize();
  return readBytes(writer);
}
