import { readState, type StateLine, type StateReading } from '@nodewright/runtime';
import type { FileSystem } from './file-system.ts';

const chunkBytes = 1 << 20;
const newline = 10;

/** What a state file holds; nothing when there is none. */
export const readStateFile = (fileSystem: FileSystem, path: string): StateReading =>
  readState(fileSystem.exists(path) ? readStateLines(fileSystem, path) : []);

/** The lines of a file. Zeros after the last one are space that is set aside, and no line. */
function* readStateLines(fileSystem: FileSystem, path: string): Generator<StateLine> {
  let rest: Uint8Array = new Uint8Array();
  let offset = 0;
  for (const chunk of chunksOf(fileSystem, path)) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let begin = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, begin)) {
      yield { offset: offset + begin, bytes: bytes.subarray(begin, end) };
      begin = end + 1;
    }
    rest = bytes.subarray(begin);
    offset += begin;
    if (rest.length > 1 && isZero(rest)) [rest, offset] = [rest.subarray(-1), offset + rest.length - 1];
  }
  const torn = withoutZeros(rest);
  if (torn.length > 0) yield { offset, bytes: torn };
}

function* chunksOf(fileSystem: FileSystem, path: string): Generator<Uint8Array> {
  const file = fileSystem.open(path, 'read');
  try {
    for (let offset = 0; ;) {
      const chunk = Buffer.alloc(chunkBytes);
      const count = fileSystem.read(file, chunk, offset);
      if (count === 0) return;
      yield chunk.subarray(0, count);
      offset += count;
    }
  } finally {
    fileSystem.close(file);
  }
}

const isZero = (bytes: Uint8Array): boolean => bytes.every((byte) => byte === 0);

/** A torn record ends where it was torn. */
const withoutZeros = (bytes: Uint8Array): Uint8Array =>
  bytes.subarray(0, bytes.findLastIndex((byte) => byte !== 0) + 1);
