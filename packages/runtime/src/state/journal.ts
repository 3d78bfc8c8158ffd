import type { StorageProblem } from './storage-error.ts';

/** Where a ledger writes its changes, each as the text of `writeChange`. */
export interface Journal {
  /**
   * Keeps all of the changes in one record.
   * @throws StorageError when they are not kept; none of them is kept then
   */
  append(changes: readonly string[]): void;
  /** Keeps a change that cannot be refused. If that fails, `problem().isReadable` is false until all of memory is kept. */
  appendAnyway(change: string): void;
  problem(): StorageProblem | undefined;
}

/** Keeps nothing. */
export const forgetfulJournal: Journal = {
  append: () => undefined,
  appendAnyway: () => undefined,
  problem: () => undefined,
};
