import { toTimestamp } from '@nodewright/apis';
import type { Clock, Random } from '@nodewright/runtime';
import { type ApiObject, storedKeyOf } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';

/** What a write by the server itself needs: the store, new UIDs and the cluster's time. */
export type ServerWrites = { readonly store: ApiObjectStore; readonly uids: Random; readonly clock: Clock };

/** Creates an object unless it exists. An existing one stays as it is. */
export function installObject({ store, uids, clock }: ServerWrites, collection: string, object: ApiObject): void {
  if (store.collection(collection).get(storedKeyOf(object)) !== undefined) return;
  const identity = { uid: uids.uuid(), creationTimestamp: toTimestamp(clock.now()) };
  store.put(collection, { ...object, metadata: { ...object.metadata, ...identity } });
}

/** Creates an object whose UID is none of the sequence that other objects get theirs from. */
export function installAside(writes: ServerWrites, collection: string, object: ApiObject): void {
  const { store, uids } = writes;
  const source = `${collection} ${object.metadata.name} after ${store.revision}`;
  installObject({ ...writes, uids: uids.fork(source) }, collection, object);
}
