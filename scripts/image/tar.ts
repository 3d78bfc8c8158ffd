/** What a tar archive has below a path. `target` is there for links. */
export type TarEntry = {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'hardLink' | 'symbolicLink' | 'other';
  readonly target: string;
  readonly bytes: Buffer;
};

/** A file or a directory of an archive to write. A path that ends with a slash is a directory. */
export type NewTarEntry = { readonly path: string; readonly mode: number; readonly bytes: Uint8Array };

/** An archive that ends early or is none. */
export class TarError extends Error {}

const block = 512;
const kinds: Readonly<Record<string, TarEntry['kind']>> = {
  '0': 'file',
  '\0': 'file',
  '1': 'hardLink',
  '2': 'symbolicLink',
  '5': 'directory',
};

const padded = (size: number): number => Math.ceil(size / block) * block;

function readText(header: Buffer, from: number, length: number): string {
  const field = header.subarray(from, from + length);
  const end = field.indexOf(0);
  return field.subarray(0, end === -1 ? length : end).toString('utf8');
}

/** Numbers are octal, or binary where the first bit is set. */
function readNumber(header: Buffer, from: number, length: number): number {
  const field = header.subarray(from, from + length);
  if (((field[0] ?? 0) & 0x80) !== 0) return Number(BigInt(`0x${field.toString('hex')}`) & ((1n << 95n) - 1n));
  return Number.parseInt(readText(field, 0, length).trim() || '0', 8);
}

/** The sum of all bytes of a header, with its own field of the sum as spaces. */
const checksumOf = (header: Buffer): number =>
  header.reduce((sum, byte, at) => sum + (at >= 148 && at < 156 ? 0x20 : byte), 0);

/** The records `LENGTH KEY=VALUE` of a header that extends the next one. */
function readRecords(bytes: Buffer): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at);
    const length = Number(bytes.toString('utf8', at, space));
    if (space === -1 || !(length > 0)) throw new TarError('an extended header cannot be read');
    const record = bytes.toString('utf8', space + 1, at + length - 1);
    const equals = record.indexOf('=');
    records.set(record.slice(0, equals), record.slice(equals + 1));
    at += length;
  }
  return records;
}

const withoutDot = (path: string): string => path.replace(/^(\.?\/)+/, '');

function pathIn(header: Buffer): string {
  const prefix = readText(header, 257, 6).startsWith('ustar') ? readText(header, 345, 155) : '';
  const name = readText(header, 0, 100);
  return prefix === '' ? name : `${prefix}/${name}`;
}

/**
 * Reads an archive in the ustar, pax or GNU form. Paths lose a leading `./` or `/`.
 * @throws TarError where the archive ends within an entry or a header has a wrong checksum
 */
export function* readTar(archive: Buffer): Generator<TarEntry> {
  let extended: ReadonlyMap<string, string> = new Map();
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block);
    if (header.every((byte) => byte === 0)) return;
    if (readNumber(header, 148, 8) !== checksumOf(header)) throw new TarError(`no tar header at byte ${at}`);
    const size = Number(extended.get('size') ?? readNumber(header, 124, 12));
    const bytes = archive.subarray(at + block, at + block + size);
    if (bytes.length < size) throw new TarError(`it ends within ${pathIn(header)}`);
    at += block + padded(size);
    const type = String.fromCharCode(header[156] ?? 0);
    if (type === 'x') extended = new Map([...extended, ...readRecords(bytes)]);
    else if (type === 'L') extended = new Map([...extended, ['path', readText(bytes, 0, size)]]);
    else if (type === 'K') extended = new Map([...extended, ['linkpath', readText(bytes, 0, size)]]);
    else if (type !== 'g') {
      yield {
        path: withoutDot(extended.get('path') ?? pathIn(header)),
        kind: kinds[type] ?? 'other',
        target: extended.get('linkpath') ?? readText(header, 157, 100),
        bytes,
      };
      extended = new Map();
    }
  }
}

/** Where a path is divided into the two fields that a header has for it. */
function divide(path: string): readonly [string, string] {
  if (Buffer.byteLength(path) <= 100) return ['', path];
  const at = path.indexOf('/', path.length - 101);
  if (at === -1 || at > 155) throw new TarError(`${path} is too long for an archive`);
  return [path.slice(0, at), path.slice(at + 1)];
}

const octal = (value: number, length: number): string => `${value.toString(8).padStart(length - 1, '0')}\0`;

function headerOf({ path, mode, bytes }: NewTarEntry, mtimeSeconds: number): Buffer {
  const header = Buffer.alloc(block);
  const [prefix, name] = divide(path);
  const isDirectory = path.endsWith('/');
  header.write(name, 0);
  header.write(octal(mode, 8), 100);
  header.write(octal(0, 8), 108);
  header.write(octal(0, 8), 116);
  header.write(octal(bytes.length, 12), 124);
  header.write(octal(mtimeSeconds, 12), 136);
  header.write(isDirectory ? '5' : '0', 156);
  header.write('ustar\x0000', 257);
  header.write(prefix, 345);
  header.write(`${octal(checksumOf(header), 7)} `, 148);
  return header;
}

/**
 * Writes an archive: entries in the order of their paths, all owned by root and of one time. Equal entries give equal bytes.
 * @throws TarError for a path that the form has no place for
 */
export function writeTar(entries: readonly NewTarEntry[], mtimeSeconds: number): Buffer {
  const sorted = entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)));
  const parts = sorted.flatMap((entry) => [
    headerOf(entry, mtimeSeconds),
    entry.bytes,
    Buffer.alloc(padded(entry.bytes.length) - entry.bytes.length),
  ]);
  return Buffer.concat([...parts, Buffer.alloc(2 * block)]);
}
