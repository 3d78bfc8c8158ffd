import { renameSync, writeFileSync } from 'node:fs';

/** By rename, so that a reader never sees half of it. */
export function writeWhole(file: string, text: string): void {
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  renameSync(unfinished, file);
}
