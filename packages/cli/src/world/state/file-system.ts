import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';

/**
 * What the state of a sandbox needs of a file system. A test passes one that fails.
 *
 * Guarantees: `write` may take fewer bytes than it is given. What was written survives the process; it survives a power
 * loss after `sync`, and a file keeps its name over a power loss after `syncFolder`.
 * Errors: those of the operating system, with their `code`.
 */
export interface FileSystem {
  exists(path: string): boolean;
  /** `new`: empties a file that is there; only this user may read it. */
  open(path: string, how: 'read' | 'new'): number;
  /** @returns how many bytes there were; 0 at the end of the file */
  read(file: number, into: Uint8Array, offset: number): number;
  /** @returns how many bytes were written */
  write(file: number, bytes: Uint8Array, offset: number): number;
  truncate(file: number, size: number): void;
  sync(file: number): void;
  /** The same without holding up the process. */
  syncLater(file: number): Promise<void>;
  close(file: number): void;
  rename(from: string, to: string): void;
  remove(path: string): void;
  syncFolder(path: string): void;
}

const syncLater = promisify(fdatasync);

export const nodeFileSystem: FileSystem = {
  exists: existsSync,
  open: (path, how) => (how === 'read' ? openSync(path, 'r') : openSync(path, 'w', 0o600)),
  read: (file, into, offset) => readSync(file, into, 0, into.length, offset),
  write: (file, bytes, offset) => writeSync(file, bytes, 0, bytes.length, offset),
  truncate: ftruncateSync,
  sync: fdatasyncSync,
  syncLater,
  close: closeSync,
  rename: renameSync,
  remove: (path) => rmSync(path, { force: true }),
  syncFolder(path) {
    const folder = openSync(path, 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  },
};

/**
 * Writes all of the bytes, in as many writes as that takes.
 * @throws the error of the first write that fails, or takes nothing; what came before it is written
 */
export function writeFully(
  fileSystem: FileSystem,
  file: number,
  { bytes, offset }: { bytes: Uint8Array; offset: number },
): void {
  for (let done = 0; done < bytes.length;) {
    const count = fileSystem.write(file, bytes.subarray(done), offset + done);
    if (count === 0) throw Object.assign(new Error('ENOSPC: the disk takes no more, write'), { code: 'ENOSPC' });
    done += count;
  }
}
