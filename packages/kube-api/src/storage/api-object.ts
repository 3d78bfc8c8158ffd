import type { OwnerReference } from '@nodewright/apis';

/** The part of an object that the server itself reads and writes. Unknown fields ride along. */
export type Metadata = {
  readonly name: string;
  readonly generateName?: string;
  readonly namespace?: string;
  readonly uid?: string;
  readonly resourceVersion?: string;
  readonly generation?: number;
  readonly creationTimestamp?: string;
  readonly deletionTimestamp?: string;
  readonly deletionGracePeriodSeconds?: number;
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly ownerReferences?: readonly OwnerReference[];
  readonly finalizers?: readonly string[];
  readonly managedFields?: readonly unknown[];
  readonly [field: string]: unknown;
};

/** An object of any kind as the server holds it. Never changed in place: every write makes a new one. */
export type ApiObject = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
};

/** Namespace is empty for cluster-scoped kinds. */
export type StoredKey = { readonly namespace: string; readonly name: string };

/** Sorts as a list answer is sorted: by namespace, then name. */
export const keyText = ({ namespace, name }: StoredKey): string => `${namespace}/${name}`;

export const keyOf = ({ metadata }: ApiObject): StoredKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

export const changeMetadata = (object: ApiObject, change: Partial<Metadata>): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, ...change },
});
