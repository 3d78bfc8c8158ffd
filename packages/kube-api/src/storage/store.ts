import { forgetfulLedger, type Ledger, StorageError } from '@nodewright/runtime';
import { type ApiObject, type Key, keyOf, withMetadata } from './api-object.ts';
import { type Change, Collection } from './collection.ts';
import { frozen } from './frozen.ts';

/** Everything that a restart needs: objects by collection, in the form they are stored. */
export type StoreSnapshot = {
  readonly revision: number;
  readonly collections: Readonly<Record<string, readonly ApiObject[]>>;
};

type StoreOptions = {
  readonly historyLimit?: number;
  readonly ledger?: Ledger;
  /** Told of every change, once it is recorded. */
  readonly onChange?: (collection: string, change: Change) => void;
};

/** Objects tell the revisions of their writes; that of a deletion is kept beside them. */
const ofLastDeletion = 'revision of the last deletion';
const collectionPrefix = 'kubernetes/';

const keptCollections = (ledger: Ledger): readonly string[] =>
  ledger.names().flatMap((name) => (name.startsWith(collectionPrefix) ? [name.slice(collectionPrefix.length)] : []));

/** The changes that each collection remembers at least, for watches that resume and lists that go on. */
const defaultHistoryLimit = 2000;

/**
 * What etcd is to a real API server: one revision counter over all collections. Synchronous, so
 * that whoever reads, decides and writes in one turn needs no transaction.
 */
export class Store {
  readonly #collections = new Map<string, Collection>();
  readonly #historyLimit: number;
  readonly #ledger: Ledger;
  readonly #revisions: Map<string, number>;
  readonly #onChange: StoreOptions['onChange'];
  #revision: number;

  /** Takes up what the ledger holds from before a restart; watches of then have to list again. */
  constructor({ historyLimit = defaultHistoryLimit, ledger = forgetfulLedger(), onChange }: StoreOptions = {}) {
    this.#onChange = onChange;
    this.#historyLimit = historyLimit;
    this.#ledger = ledger;
    this.#revisions = ledger.map('kubernetes');
    this.#revision = this.#revisions.get(ofLastDeletion) ?? 0;
    for (const name of keptCollections(ledger)) this.#takeUp(this.collection(name));
    this.#restoredAt = this.#revision;
    this.compact();
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  collection(name: string): Collection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const fresh = new Collection(this.#historyLimit, this.#ledger.map(collectionPrefix + name));
    fresh.compact(this.#restoredAt);
    this.#collections.set(name, fresh);
    return fresh;
  }

  /**
   * Does `work`, and keeps all that it writes, or nothing. Watches are told once it is kept. What listeners write in turn
   * is not refused any more.
   * @throws StorageError when it is not kept; nothing has changed then
   */
  transact<T>(work: () => T): T {
    if (this.#written !== undefined) return work();
    const before = this.#revision;
    const written: Written[] = [];
    this.#written = written;
    try {
      return this.#isTelling ? work() : this.#ledger.commit(work);
    } catch (failure) {
      if (failure instanceof StorageError) this.#takeBack(written.splice(0), before);
      throw failure;
    } finally {
      this.#written = undefined;
      this.#tell(written);
    }
  }

  /**
   * Adds or replaces; the object gets the new revision as its `resourceVersion`.
   * @throws StorageError when it is not kept
   */
  put(name: string, object: ApiObject): ApiObject {
    const previous = this.collection(name).get(keyOf(object));
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    return this.transact(() => this.#write(name, type, object, previous));
  }

  /**
   * Removes what is there, leaving `last` as the final state that watches see.
   * @throws StorageError when the removal is not kept
   */
  remove(name: string, key: Key, last?: ApiObject): ApiObject | undefined {
    const previous = this.collection(name).get(key);
    return previous && this.transact(() => this.#write(name, 'DELETED', last ?? previous, previous));
  }

  /** Forgets the past of every collection up to now, as etcd's compaction does. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.compact(this.#revision);
  }

  snapshot(): StoreSnapshot {
    const named = [...this.#collections].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return {
      revision: this.#revision,
      collections: Object.fromEntries(named.map(([name, collection]) => [name, collection.list()])),
    };
  }

  /** Takes over a snapshot; the store must be empty. Watches from before it have to list again. */
  restore({ revision, collections }: StoreSnapshot): void {
    for (const [name, objects] of Object.entries(collections)) {
      const collection = this.collection(name);
      const written = objects.map((object) => ({ name, collection, change: addedAt(revision, frozen(object)) }));
      for (const { change } of written) collection.apply(change);
      this.#tell(written);
    }
    this.#revision = revision;
    this.#restoredAt = revision;
    this.compact();
  }

  #restoredAt = 0;

  #takeUp(collection: Collection): void {
    for (const object of collection.list()) {
      this.#revision = Math.max(this.#revision, Number(frozen(object).metadata.resourceVersion));
    }
  }

  /** What a transaction has written so far. */
  #written: Written[] | undefined;
  #isTelling = false;

  #write(name: string, type: Change['type'], object: ApiObject, previous?: ApiObject): ApiObject {
    this.#revision += 1;
    const stored = frozen(typeFirst(withMetadata(object, { resourceVersion: String(this.#revision) })));
    const change = { type, revision: this.#revision, object: stored, ...(previous && { previous }) };
    if (type === 'DELETED') this.#revisions.set(ofLastDeletion, this.#revision);
    const collection = this.collection(name);
    collection.apply(change);
    this.#written?.push({ name, collection, change });
    return stored;
  }

  #takeBack(written: readonly Written[], revision: number): void {
    this.#revision = revision;
    for (const { collection } of written) collection.forgetOrder();
  }

  #tell(written: readonly Written[]): void {
    const outer = this.#isTelling;
    this.#isTelling = true;
    try {
      for (const { collection, change } of written) collection.remember(change);
      for (const { collection } of written) collection.tell();
      for (const { name, change } of written) this.#onChange?.(name, change);
    } finally {
      this.#isTelling = outer;
    }
  }
}

const addedAt = (revision: number, object: ApiObject): Change => ({ type: 'ADDED', revision, object });

type Written = { readonly name: string; readonly collection: Collection; readonly change: Change };

/** The type leads, as a real server writes it; lists can then leave it out without encoding an item again. */
const typeFirst = ({ kind, apiVersion, metadata, ...rest }: ApiObject): ApiObject => ({
  kind,
  apiVersion,
  metadata,
  ...rest,
});
