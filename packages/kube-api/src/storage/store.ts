import { byTextOf } from '@nodewright/apis';
import { forgetfulLedger, type Ledger, StorageError } from '@nodewright/runtime';
import { type ExactNumbers, exactNumbersOf, withExactNumbers } from '../schema/exact-numbers.ts';
import { type ApiObject, type StoredKey, storedKeyOf, changeMetadata, keyText } from './api-object.ts';
import { type ObjectChange, StoredCollection } from './collection.ts';
import { freezeDeep } from './frozen.ts';

/** The state that a restart needs: all objects by collection, in their stored form. */
export type StoreSnapshot = {
  readonly revision: number;
  readonly collections: Readonly<Record<string, readonly ApiObject[]>>;
};

type StoreOptions = {
  readonly historyLimit?: number;
  readonly ledger?: Ledger;
  /** Called for every change after it is recorded. */
  readonly onChange?: (collection: string, change: ObjectChange) => void;
};

/** The name of the revision of the last deletion. All other revisions are in the objects themselves. */
const ofLastDeletion = 'revision of the last deletion';
const collectionPrefix = 'kubernetes/';

const keptCollections = (ledger: Ledger): readonly string[] =>
  ledger.names().flatMap((name) => (name.startsWith(collectionPrefix) ? [name.slice(collectionPrefix.length)] : []));

/** The minimum number of changes that each collection keeps, for watches that resume and for paged lists. */
const defaultHistoryLimit = 2000;

/**
 * The database of the server, in the place of etcd.
 *
 * Guarantees: one revision counter over all collections; every write gets the next revision. Stored objects are
 * frozen. A transaction saves all its writes or none, and listeners see only saved writes.
 *
 * Assumptions: all calls are synchronous, so code that reads, decides and writes without an await needs no
 * transaction.
 */
export class ApiObjectStore {
  readonly #collections = new Map<string, StoredCollection>();
  readonly #historyLimit: number;
  readonly #ledger: Ledger;
  readonly #revisions: Map<string, number>;
  /** By collection and key. The ledger keeps the members of an object, and its numbers beside it. */
  readonly #numbers: Map<string, readonly (readonly [number, string])[]>;
  readonly #onChange: StoreOptions['onChange'];
  #revision: number;

  /** Restores the objects of the ledger. Watches from before the restart have to list again. */
  constructor({ historyLimit = defaultHistoryLimit, ledger = forgetfulLedger(), onChange }: StoreOptions = {}) {
    this.#onChange = onChange;
    this.#historyLimit = historyLimit;
    this.#ledger = ledger;
    this.#revisions = ledger.map('kubernetes');
    this.#numbers = ledger.map('exact numbers of kubernetes');
    this.#revision = this.#revisions.get(ofLastDeletion) ?? 0;
    for (const name of keptCollections(ledger)) this.#takeUp(name, this.collection(name));
    this.#restoredAt = this.#revision;
    this.compact();
  }

  /** The revision of the last write. */
  get revision(): number {
    return this.#revision;
  }

  collection(name: string): StoredCollection {
    const known = this.#collections.get(name);
    if (known !== undefined) return known;
    const fresh = new StoredCollection(this.#historyLimit, this.#ledger.map(collectionPrefix + name));
    fresh.compact(this.#restoredAt);
    this.#collections.set(name, fresh);
    return fresh;
  }

  /**
   * Runs `work` and saves all its writes or none. Listeners are called once the writes are saved. Writes by listeners
   * are not refused.
   * @throws StorageError when the writes cannot be saved; then nothing has changed
   */
  transact<T>(work: () => T): T {
    if (this.#written !== undefined) return work();
    const before = this.#revision;
    const written: WrittenObject[] = [];
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
   * Adds or replaces an object. It gets the new revision as its `resourceVersion`.
   * @throws StorageError when the write cannot be saved
   */
  put(name: string, object: ApiObject): ApiObject {
    const previous = this.collection(name).get(storedKeyOf(object));
    const type = previous === undefined ? 'ADDED' : 'MODIFIED';
    return this.transact(() => this.#write(name, type, object, previous));
  }

  /** Removes an object. Watches see `last` as its final state. */
  remove(name: string, key: StoredKey, last?: ApiObject): ApiObject | undefined {
    const previous = this.collection(name).get(key);
    return previous && this.transact(() => this.#write(name, 'DELETED', last ?? previous, previous));
  }

  /** Drops the history of all collections up to now, as etcd's compaction does. */
  compact(): void {
    for (const collection of this.#collections.values()) collection.compact(this.#revision);
  }

  /** The number of objects by collection. */
  objectCounts(): ReadonlyMap<string, number> {
    const named = [...this.#collections].toSorted(byTextOf(([name]) => name));
    return new Map(named.map(([name, collection]) => [name, collection.list().length]));
  }

  snapshot(): StoreSnapshot {
    const named = [...this.#collections].toSorted(byTextOf(([name]) => name));
    return {
      revision: this.#revision,
      collections: Object.fromEntries(named.map(([name, collection]) => [name, collection.list()])),
    };
  }

  /** Restores a snapshot into an empty store. Watches from before have to list again. */
  restore({ revision, collections }: StoreSnapshot): void {
    for (const [name, objects] of Object.entries(collections)) {
      const collection = this.collection(name);
      const written = objects.map((object) => ({ name, collection, change: addedAt(revision, freezeDeep(object)) }));
      for (const { change } of written) collection.apply(change);
      this.#tell(written);
    }
    this.#revision = revision;
    this.#restoredAt = revision;
    this.compact();
  }

  #restoredAt = 0;

  #takeUp(name: string, collection: StoredCollection): void {
    for (const object of collection.list()) {
      const revision = Number(freezeDeep(object).metadata.resourceVersion);
      this.#revision = Math.max(this.#revision, revision);
      const numbers = this.#numbers.get(numbersKey(name, object));
      if (numbers === undefined) continue;
      const exact = freezeDeep(withExactNumbers(object, new Map(numbers)));
      collection.apply({ type: 'MODIFIED', revision, object: exact });
    }
  }

  /** The writes of the current transaction. */
  #written: WrittenObject[] | undefined;
  #isTelling = false;

  #write(name: string, type: ObjectChange['type'], object: ApiObject, previous?: ApiObject): ApiObject {
    this.#revision += 1;
    const stored = freezeDeep(typeFirst(changeMetadata(object, { resourceVersion: String(this.#revision) })));
    const change = { type, revision: this.#revision, object: stored, ...(previous && { previous }) };
    if (type === 'DELETED') this.#revisions.set(ofLastDeletion, this.#revision);
    const collection = this.collection(name);
    collection.apply(change);
    this.#keepNumbers(numbersKey(name, object), type === 'DELETED' ? undefined : exactNumbersOf(object));
    this.#written?.push({ name, collection, change });
    return stored;
  }

  #keepNumbers(key: string, numbers: ExactNumbers | undefined): void {
    if (numbers !== undefined) this.#numbers.set(key, [...numbers]);
    else if (this.#numbers.size > 0) this.#numbers.delete(key);
  }

  #takeBack(written: readonly WrittenObject[], revision: number): void {
    this.#revision = revision;
    for (const { collection } of written) collection.forgetOrder();
  }

  #tell(written: readonly WrittenObject[]): void {
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

const numbersKey = (name: string, object: ApiObject): string => `${name}/${keyText(storedKeyOf(object))}`;

const addedAt = (revision: number, object: ApiObject): ObjectChange => ({ type: 'ADDED', revision, object });

type WrittenObject = { readonly name: string; readonly collection: StoredCollection; readonly change: ObjectChange };

/**
 * The type comes first, as in a real server's answers. List answers can then omit it without encoding the item again.
 */
const typeFirst = ({ kind, apiVersion, metadata, ...rest }: ApiObject): ApiObject => ({
  kind,
  apiVersion,
  metadata,
  ...rest,
});
