import { dirname } from 'node:path';
import { type FileSystem, nodeFileSystem, writeFully } from './file-system.ts';

/** A file that has taken the place of another one, still open. */
export type ReplacedFile = { readonly file: number; readonly size: number };

/** The replacement failed when the new file may have its name already: which of the two is there is not known. */
export class UnknownFileError extends Error {
  override readonly name = 'UnknownFileError';
}

const chunkBytes = 1 << 20;

/**
 * Replaces a file as a whole: a reader, also one after a power loss, finds the old one or the new one.
 *
 * Guarantees: when it throws another error than UnknownFileError, the old file is as it was, and the space of the unfinished new one
 * is free again.
 * @throws UnknownFileError when the new file is written, and whether it has its name is not known
 */
export function replaceFile(
  fileSystem: FileSystem,
  { path, parts }: { readonly path: string; readonly parts: Iterable<Uint8Array> },
): ReplacedFile {
  const unfinished = `${path}.new`;
  const file = fileSystem.open(unfinished, 'new');
  try {
    const size = writeParts(fileSystem, file, parts);
    fileSystem.sync(file);
    nameFile(fileSystem, { unfinished, path });
    return { file, size };
  } catch (failure) {
    discard(fileSystem, file, unfinished);
    throw failure;
  }
}

/** Replaces a small file by a text. */
export function replaceText(path: string, text: string, fileSystem: FileSystem = nodeFileSystem): void {
  fileSystem.close(replaceFile(fileSystem, { path, parts: [Buffer.from(text)] }).file);
}

function writeParts(fileSystem: FileSystem, file: number, parts: Iterable<Uint8Array>): number {
  let offset = 0;
  for (const bytes of inChunks(parts)) {
    writeFully(fileSystem, file, { bytes, offset });
    offset += bytes.length;
  }
  return offset;
}

/** A file may consist of a hundred thousand small parts. */
function* inChunks(parts: Iterable<Uint8Array>): Generator<Uint8Array> {
  let chunk: Uint8Array[] = [];
  let size = 0;
  for (const part of parts) {
    chunk.push(part);
    size += part.length;
    if (size < chunkBytes) continue;
    yield Buffer.concat(chunk);
    [chunk, size] = [[], 0];
  }
  yield Buffer.concat(chunk);
}

function nameFile(fileSystem: FileSystem, { unfinished, path }: { unfinished: string; path: string }): void {
  try {
    fileSystem.rename(unfinished, path);
    fileSystem.syncFolder(dirname(path));
  } catch (failure) {
    throw new UnknownFileError((failure as Error).message, { cause: failure });
  }
}

/** What fails here changes nothing about the failure that led here. */
function discard(fileSystem: FileSystem, file: number, path: string): void {
  for (const step of [() => fileSystem.close(file), () => fileSystem.remove(path)]) {
    try {
      step();
    } catch {
      continue;
    }
  }
}
