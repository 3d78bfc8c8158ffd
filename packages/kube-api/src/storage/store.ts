import { forgetfulLedger, type Ledger } from '@nodewright/runtime';
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

  /** Adds or replaces; the object gets the new revision as its `resourceVersion`. */
  put(name: string, object: ApiObject): ApiObject {
    const previous = this.collection(name).get(keyOf(object));
    return this.#record(name, previous === undefined ? 'ADDED' : 'MODIFIED', object, previous);
  }

  /** Removes what is there, leaving `last` as the final state that watches see. */
  remove(name: string, key: Key, last?: ApiObject): ApiObject | undefined {
    const previous = this.collection(name).get(key);
    return previous && this.#record(name, 'DELETED', last ?? previous, previous);
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
      for (const object of objects) this.collection(name).record({ type: 'ADDED', revision, object: frozen(object) });
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

  #record(name: string, type: Change['type'], object: ApiObject, previous?: ApiObject): ApiObject {
    this.#revision += 1;
    const stored = frozen(typeFirst(withMetadata(object, { resourceVersion: String(this.#revision) })));
    const change = { type, revision: this.#revision, object: stored, ...(previous && { previous }) };
    if (type === 'DELETED') this.#revisions.set(ofLastDeletion, this.#revision);
    this.collection(name).record(change);
    this.#onChange?.(name, change);
    return stored;
  }
}

/** The type leads, as a real server writes it; lists can then leave it out without encoding an item again. */
const typeFirst = ({ kind, apiVersion, metadata, ...rest }: ApiObject): ApiObject => ({
  kind,
  apiVersion,
  metadata,
  ...rest,
});
