import { dirname } from 'node:path';
import { instant } from '@nodewright/apis';
import { forgetfulJournal, LineLedger, type StateReading } from '@nodewright/runtime';
import { type FileSystem, writeFully } from './file-system.ts';
import { replaceFile } from './replace-file.ts';
import { recordsOf } from './state-file.ts';

/**
 * Writes a state file anew with what could be read of it.
 * @returns the name of the copy of the file as it was
 * @throws the error of the file system; the file is as it was then
 */
export function repairStateFile(fileSystem: FileSystem, path: string, { state }: StateReading): string {
  const copy = copyFile(fileSystem, path);
  const now = (): ReturnType<typeof instant> => state.last ?? instant(0);
  const ledger = new LineLedger({ kept: state, now, journal: forgetfulJournal });
  const parts = recordsOf(ledger.lines(), { sequence: 0 });
  fileSystem.close(replaceFile(fileSystem, { path, parts }).file);
  return copy;
}

/** An earlier copy stays: it may be the better one. */
function copyFile(fileSystem: FileSystem, path: string): string {
  const copy = freeName(fileSystem, path);
  const [from, to] = [fileSystem.open(path, 'read'), fileSystem.open(copy, 'new')];
  try {
    copyBytes(fileSystem, from, to);
    fileSystem.sync(to);
  } catch (failure) {
    fileSystem.remove(copy);
    throw failure;
  } finally {
    fileSystem.close(from);
    fileSystem.close(to);
  }
  fileSystem.syncFolder(dirname(copy));
  return copy;
}

function copyBytes(fileSystem: FileSystem, from: number, to: number): void {
  const chunk = Buffer.alloc(1 << 20);
  for (let offset = 0; ;) {
    const count = fileSystem.read(from, chunk, offset);
    if (count === 0) return;
    writeFully(fileSystem, to, { bytes: chunk.subarray(0, count), offset });
    offset += count;
  }
}

function freeName(fileSystem: FileSystem, path: string): string {
  for (let number = 1; ; number += 1) {
    const name = `${path}.damaged-${number}`;
    if (!fileSystem.exists(name)) return name;
  }
}
