import { formatRecord, type Journal, StorageError, type StorageProblem, writeRecord } from '@nodewright/runtime';
import { type FileSystem, nodeFileSystem } from './file-system.ts';
import { replaceFile, UnknownFileError } from './replace-file.ts';
import { StateLog } from './state-log.ts';
import { problemOf } from './storage-problem.ts';

/**
 * When records are synced to the disk: before a change is acknowledged, every second, or when the operating system
 * likes. A change that was acknowledged survives the end of the process in any case.
 */
export type FsyncPolicy = 'always' | 'interval' | 'never';

export type StateFileOptions = {
  readonly path: string;
  /** The fewest changes that say all of the state, as text; what is appended goes on from there. */
  readonly all: () => Iterable<string>;
  readonly fsync: FsyncPolicy;
  /** Told when changes cannot be kept any more, and when they can again. */
  readonly onProblem?: (problem: StorageProblem | undefined) => void;
  readonly fileSystem?: FileSystem;
  /** How many bytes are always set aside [1 MiB]. */
  readonly reserveBytes?: number;
};

/** How many bytes may be appended before the file is written anew, at least; later as many as the file began with. */
const leastGrowthBytes = 64 << 20;

/** When no more than this can be had, changes of clients are refused; what happens by itself has its place here. */
const usualReserveBytes = 1 << 20;

/**
 * The file that says all of a state, as records.
 *
 * Guarantees: a change is with the operating system when `append` returns, and on the disk with `fsync: always`. When
 * `append` throws, the change is not in the file, unless the disk takes neither the record nor its removal; a power loss just after a
 * failed sync may bring it back, too.
 * The file on the disk is whole at any moment but for its last record.
 * Assumptions: one process has the file, and calls `tick` about every second.
 */
export class StateFile implements Journal {
  readonly #options: StateFileOptions;
  readonly #fileSystem: FileSystem;
  readonly #reserveBytes: number;
  /** None after an error that leaves open what is in the file: it has to be written anew. */
  #log: StateLog | undefined;
  #sequence = 0;
  #growth = 0;
  #problem: StorageProblem | undefined;
  /** The error behind the problem. */
  #cause: unknown;

  constructor(options: StateFileOptions) {
    this.#options = options;
    this.#fileSystem = options.fileSystem ?? nodeFileSystem;
    this.#reserveBytes = options.reserveBytes ?? usualReserveBytes;
  }

  /**
   * Writes the file anew, with all of the state.
   * @throws the error of the file system when that fails; the file that was there stays
   */
  start(): void {
    const log = this.#rewritten();
    try {
      log.setAside(this.#reserveBytes);
    } catch (failure) {
      log.close();
      throw failure;
    }
    this.#log = log;
  }

  append(changes: readonly string[]): void {
    if (this.#problem !== undefined) throw new StorageError(this.#problem);
    try {
      this.#store(changes);
    } catch (failure) {
      throw new StorageError(this.#note(failure, { isReadable: true }), { cause: failure });
    }
  }

  appendAnyway(change: string): void {
    if (this.#problem?.isReadable === false) return;
    try {
      this.#store([change]);
    } catch (failure) {
      this.#note(failure, { isReadable: false });
    }
  }

  problem(): StorageProblem | undefined {
    return this.#problem;
  }

  /** Tries again what failed, writes the file anew when it has grown, and syncs when it is time. */
  async tick(): Promise<void> {
    if (this.#problem !== undefined) this.#tryAgain();
    else if (this.#growth <= 0) this.#compact();
    if (this.#options.fsync === 'interval') await this.#syncLater();
  }

  /** @returns why it is not certain that the last changes are kept; `undefined` when they are */
  close(): StorageProblem | undefined {
    if (this.#problem !== undefined) this.#tryAgain();
    try {
      this.#log?.trim();
      this.#log?.sync();
    } catch (failure) {
      this.#note(failure, { isReadable: false });
    }
    const isKept = this.#log !== undefined && this.#problem?.isReadable !== false;
    this.#drop();
    return isKept ? undefined : this.#problem;
  }

  #store(changes: readonly string[]): void {
    const log = this.#log;
    if (log === undefined) throw this.#cause ?? new Error('the state file is not started');
    const record = writeRecord({ sequence: this.#sequence + 1, synced: log.synced, changes });
    this.#setAside(log, record.length);
    this.#write(log, record);
    this.#sequence += 1;
    this.#growth -= record.length;
  }

  /** What is left of the reserve takes this record, perhaps the last one. */
  #setAside(log: StateLog, size: number): void {
    try {
      log.setAside(this.#reserveBytes + size);
    } catch (failure) {
      if (log.room < size) throw failure;
      this.#note(failure, { isReadable: true });
    }
  }

  #write(log: StateLog, record: Uint8Array): void {
    const { end } = log;
    try {
      log.append(record);
    } catch (failure) {
      this.#cutBack(log, { end, written: record.length });
      throw failure;
    }
    if (this.#options.fsync !== 'always') return;
    try {
      log.sync();
    } catch (failure) {
      this.#cutBack(log, { end, written: record.length });
      this.#drop();
      throw failure;
    }
  }

  /** Of a record that failed nothing may be found later. */
  #cutBack(log: StateLog, { end, written }: { readonly end: number; readonly written: number }): void {
    try {
      log.cutBack(end, written);
    } catch {
      this.#drop();
    }
  }

  /** Whatever is in the file, memory is written anew before changes are taken again. */
  #drop(): void {
    const log = this.#log;
    this.#log = undefined;
    try {
      log?.close();
    } catch {
      return;
    }
  }

  #tryAgain(): void {
    try {
      if (this.#log === undefined || !this.#isOnlyFull()) this.#replace();
      this.#log?.setAside(this.#reserveBytes);
      this.#tell(undefined);
    } catch (failure) {
      this.#note(failure, { isReadable: true });
    }
  }

  #isOnlyFull(): boolean {
    return this.#problem?.kind === 'full' && this.#problem.isReadable;
  }

  /** Without space for a second file the first one goes on growing. */
  #compact(): void {
    try {
      this.#replace();
    } catch (failure) {
      this.#growth = leastGrowthBytes;
      if (failure instanceof UnknownFileError) this.#note(failure, { isReadable: true });
    }
  }

  #replace(): void {
    try {
      const log = this.#rewritten();
      this.#drop();
      this.#log = log;
    } catch (failure) {
      if (failure instanceof UnknownFileError) this.#drop();
      throw failure;
    }
  }

  #rewritten(): StateLog {
    const written = { sequence: 0 };
    const parts = recordsOf(this.#options.all(), written);
    const replaced = replaceFile(this.#fileSystem, { path: this.#options.path, parts });
    const log = new StateLog(this.#fileSystem, replaced, this.#reserveBytes);
    this.#sequence = written.sequence;
    this.#growth = Math.max(leastGrowthBytes, log.end);
    return log;
  }

  async #syncLater(): Promise<void> {
    const log = this.#log;
    try {
      await log?.syncLater();
    } catch (failure) {
      if (log !== this.#log) return;
      this.#drop();
      this.#note(failure, { isReadable: true });
    }
  }

  #note(failure: unknown, { isReadable }: { readonly isReadable: boolean }): StorageProblem {
    const isStillReadable = isReadable && this.#problem?.isReadable !== false;
    const problem = problemOf(failure, { path: this.#options.path, isReadable: isStillReadable });
    this.#cause = failure;
    this.#tell(problem);
    return problem;
  }

  #tell(problem: StorageProblem | undefined): void {
    const isNews = problem?.kind !== this.#problem?.kind || problem?.isReadable !== this.#problem?.isReadable;
    this.#problem = problem;
    if (isNews) this.#options.onProblem?.(problem);
  }
}

/** The records of a new file, each of one change; `written` tells the number of the last one. */
export function* recordsOf(changes: Iterable<string>, written: { sequence: number }): Generator<Uint8Array> {
  yield formatRecord();
  written.sequence = 1;
  for (const change of changes) {
    written.sequence += 1;
    yield writeRecord({ sequence: written.sequence, synced: 0, changes: [change] });
  }
}
