import type { Clock, Random } from '@nodewright/runtime';
import type { ApiObjectStore } from '../storage/store.ts';

/** What a write by the server itself needs: the store, new UIDs and the cluster's time. */
export type ServerWrites = { readonly store: ApiObjectStore; readonly uids: Random; readonly clock: Clock };
