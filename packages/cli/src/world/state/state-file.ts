import { closeSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';

/** How many bytes may be appended before the file is written anew, at least; later as many as the file began with. */
const roomBytes = 64 << 20;

/**
 * A file of lines that says all of a state. An appended line is with the operating system when `append` returns,
 * so that it survives the process.
 */
export class StateFile {
  readonly #path: string;
  readonly #all: () => Iterable<string>;
  #descriptor: number;
  #room = 0;

  /** @param all the fewest lines that say everything; what is appended goes on from there */
  constructor(path: string, all: () => Iterable<string>) {
    this.#path = path;
    this.#all = all;
    this.#descriptor = this.#rewritten();
  }

  append(line: string): void {
    this.#room -= writeSync(this.#descriptor, `${line}\n`);
    if (this.#room > 0) return;
    closeSync(this.#descriptor);
    this.#descriptor = this.#rewritten();
  }

  close(): void {
    fsyncSync(this.#descriptor);
    closeSync(this.#descriptor);
  }

  /** The old file stays until the new one is whole. */
  #rewritten(): number {
    const unfinished = `${this.#path}.new`;
    const descriptor = openSync(unfinished, 'w', 0o600);
    let bytes = 0;
    for (const line of this.#all()) bytes += writeSync(descriptor, `${line}\n`);
    fsyncSync(descriptor);
    renameSync(unfinished, this.#path);
    this.#room = Math.max(roomBytes, bytes);
    return descriptor;
  }
}
