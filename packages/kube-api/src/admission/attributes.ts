import type { Clock, Random } from '@nodewright/runtime';
import type { User } from '../auth/user.ts';
import type { ServedResources } from '../resources/registry.ts';
import type { Resource } from '../resources/resource.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { ApiObjectStore } from '../storage/store.ts';
import type { FindPodCredentials } from './pod-credentials.ts';
import type { WebhookAnswers } from './webhook-calls.ts';

export type AdmissionOperation = 'CREATE' | 'UPDATE' | 'DELETE' | 'CONNECT';

/** One write as admission sees it. Objects are in the version of the request. */
export type AdmissionAttributes = {
  readonly operation: AdmissionOperation;
  readonly resource: Resource;
  readonly subresource: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
  readonly user: User;
  /** The new object, or the document that is written to a subresource. Absent in a deletion. */
  readonly object?: ApiObject;
  /** The stored object. Absent in a creation. */
  readonly old?: ApiObject;
  /** The object whose subresource is written, when the document is another kind of object, such as an eviction. */
  readonly target?: ApiObject;
  readonly dryRun: boolean;
  /** Texts for `Warning` headers. Plugins append to the list. */
  readonly warnings: string[];
};

/** The attributes of a write that has a new object. */
export type WriteAttributes = AdmissionAttributes & { readonly object: ApiObject };

/** What admission reads of the cluster. Admission itself writes nothing. */
export type AdmissionView = {
  readonly store: Pick<ApiObjectStore, 'collection'>;
  readonly registry: ServedResources;
  readonly clock: Pick<Clock, 'now'>;
  /** For the suffixes of generated names. */
  readonly names: Random;
  readonly findPodCredentials?: FindPodCredentials;
  /** What webhooks answered. Without it there is no network. */
  readonly webhooks?: WebhookAnswers;
};

/** Changes the new object of a write, or refuses the write with a `StatusError`. */
export type MutatingPlugin = (attributes: WriteAttributes, view: AdmissionView) => ApiObject;

/** Refuses a write or a deletion with a `StatusError`. */
export type ValidatingPlugin = (attributes: AdmissionAttributes, view: AdmissionView) => void;
