import type { Clock, Random } from '@nodewright/runtime';
import type { Store } from '../storage/store.ts';

/** What a write by the server itself needs: the store, new UIDs and the cluster's time. */
export type ServerWrites = { readonly store: Store; readonly uids: Random; readonly clock: Clock };
