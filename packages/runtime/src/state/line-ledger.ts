import type { Instant } from '@nodewright/apis';
import type { Journal } from './journal.ts';
import type { Ledger } from './ledger.ts';
import { writeChange } from './state-change.ts';
import type { KeptState } from './state-reading.ts';
import { StorageError, type StorageProblem } from './storage-error.ts';

export type LineLedgerOptions = {
  readonly kept: KeptState;
  readonly now: () => Instant;
  readonly journal: Journal;
};

/** The changes of a commit that is under way, and how to take them back. */
type Batch = { readonly changes: string[]; readonly undo: (() => void)[] };

/** A ledger that writes every change to a journal before it is in memory, or with the commit that it belongs to. */
export class LineLedger implements Ledger {
  readonly #maps = new Map<string, KeptMap<unknown>>();
  readonly #now: () => Instant;
  readonly #journal: Journal;
  #batch: Batch | undefined;

  constructor({ kept, now, journal }: LineLedgerOptions) {
    this.#now = now;
    this.#journal = journal;
    for (const [name, entries] of kept.maps) this.#open(name, entries);
  }

  map<V>(name: string): Map<string, V> {
    return (this.#maps.get(name) ?? this.#open(name, new Map())) as KeptMap<V>;
  }

  names(): readonly string[] {
    return [...this.#maps].flatMap(([name, { size }]) => (size === 0 ? [] : [name])).toSorted();
  }

  commit<T>(work: () => T): T {
    const outer = this.#batch;
    const batch: Batch = { changes: [], undo: [] };
    this.#batch = batch;
    try {
      const result = work();
      this.#keep(batch);
      return result;
    } catch (failure) {
      if (failure instanceof StorageError) undoAll(batch);
      else this.#keep(batch);
      throw failure;
    } finally {
      this.#batch = outer;
    }
  }

  problem(): StorageProblem | undefined {
    return this.#journal.problem();
  }

  /** The fewest changes that say all of it, as text; what is appended later goes on from there. */
  *lines(): Generator<string> {
    const at = this.#now();
    for (const [map, entries] of this.#maps) {
      for (const [key, value] of entries) yield writeChange({ at, map, key, value });
    }
  }

  #keep(batch: Batch): void {
    if (batch.changes.length === 0) return;
    const changes = batch.changes.splice(0);
    try {
      this.#journal.append(changes);
    } catch (failure) {
      undoAll(batch);
      throw failure;
    }
  }

  #open(name: string, entries: ReadonlyMap<string, unknown>): KeptMap<unknown> {
    const opened = new KeptMap(entries, (key, value, undo) => {
      this.#record(writeChange({ at: this.#now(), map: name, key, value }), undo);
    });
    this.#maps.set(name, opened);
    return opened;
  }

  #record(change: string, undo: () => void): void {
    if (this.#batch === undefined) return this.#journal.appendAnyway(change);
    const problem = this.#journal.problem();
    if (problem !== undefined) throw new StorageError(problem);
    this.#batch.changes.push(change);
    this.#batch.undo.push(undo);
  }
}

function undoAll({ undo }: Batch): void {
  for (const back of undo.splice(0).toReversed()) back();
}

/** Told of a change before it is made: a key without a value goes. Throws when the change must not be made. */
type Recorder = (key: string, value: unknown, undo: () => void) => void;

/** A map that tells of every change first. */
class KeptMap<V> extends Map<string, V> {
  readonly #record: Recorder;

  constructor(entries: ReadonlyMap<string, V>, record: Recorder) {
    super();
    this.#record = record;
    for (const [key, value] of entries) super.set(key, value);
  }

  override set(key: string, value: V): this {
    this.#record(key, value, this.#backTo(key));
    return super.set(key, value);
  }

  override delete(key: string): boolean {
    if (!this.has(key)) return false;
    this.#record(key, undefined, this.#backTo(key));
    return super.delete(key);
  }

  override clear(): void {
    for (const key of this.keys()) this.delete(key);
  }

  /** How the key gets back what it has now. */
  #backTo(key: string): () => void {
    if (!this.has(key)) return () => void super.delete(key);
    const before = this.get(key) as V;
    return () => void super.set(key, before);
  }
}
