import { type FileSystem, writeFully } from './file-system.ts';
import type { ReplacedFile } from './replace-file.ts';

/**
 * An open state file that grows by records. Zeros behind the last record set space aside: a record that fits into them
 * needs no more of the disk.
 */
export class StateLog {
  readonly #fileSystem: FileSystem;
  readonly #file: number;
  /** Space is set aside in pieces of this size. */
  readonly #piece: Uint8Array;
  #end: number;
  #allocated: number;
  #synced: number;
  #syncing: Promise<void> | undefined;

  /** @param replaced a file that is synced as far as it goes */
  constructor(fileSystem: FileSystem, { file, size }: ReplacedFile, pieceBytes: number) {
    this.#fileSystem = fileSystem;
    this.#piece = new Uint8Array(pieceBytes);
    this.#file = file;
    this.#end = size;
    this.#allocated = size;
    this.#synced = size;
  }

  /** Where the last record ends. */
  get end(): number {
    return this.#end;
  }

  /** How much of the file is certainly on the disk. */
  get synced(): number {
    return this.#synced;
  }

  /** How many bytes of records fit into what is set aside. */
  get room(): number {
    return this.#allocated - this.#end;
  }

  /** @throws the error of the file system when there is not so much space; what could be had is set aside */
  setAside(bytes: number): void {
    while (this.room < bytes) {
      const count = this.#fileSystem.write(this.#file, this.#piece, this.#allocated);
      if (count === 0) throw Object.assign(new Error('ENOSPC: the disk takes no more, write'), { code: 'ENOSPC' });
      this.#allocated += count;
    }
  }

  /**
   * Writes a record behind the others.
   * @throws the error of the file system; after `cutBack` the record is not there
   */
  append(record: Uint8Array): void {
    writeFully(this.#fileSystem, this.#file, { bytes: record, offset: this.#end });
    this.#end += record.length;
    this.#allocated = Math.max(this.#allocated, this.#end);
  }

  sync(): void {
    this.#fileSystem.sync(this.#file);
    this.#synced = this.#end;
  }

  /** Syncs what has been written until now. Resolves when it is done, or at once when another sync is under way. */
  async syncLater(): Promise<void> {
    if (this.#syncing !== undefined || this.#synced === this.#end) return;
    const end = this.#end;
    this.#syncing = this.#fileSystem.syncLater(this.#file);
    try {
      await this.#syncing;
      this.#synced = Math.max(this.#synced, end);
    } finally {
      this.#syncing = undefined;
    }
  }

  /**
   * Ends the records at `end` again, and fills up behind with zeros; if that fails, gives the space back.
   * @throws the error of the file system; then it is not known what is there
   */
  cutBack(end: number, written: number): void {
    this.#end = end;
    this.#synced = Math.min(this.#synced, end);
    try {
      writeFully(this.#fileSystem, this.#file, { bytes: new Uint8Array(written), offset: end });
      this.#allocated = Math.max(this.#allocated, end + written);
    } catch {
      this.trim();
    }
  }

  /** Gives back what was set aside. */
  trim(): void {
    this.#fileSystem.truncate(this.#file, this.#end);
    this.#allocated = this.#end;
  }

  /** After a sync that is under way: the number of a closed file may soon be that of another one. */
  close(): void {
    if (this.#syncing === undefined) this.#fileSystem.close(this.#file);
    else void this.#syncing.catch(() => undefined).finally(() => this.#fileSystem.close(this.#file));
  }
}
