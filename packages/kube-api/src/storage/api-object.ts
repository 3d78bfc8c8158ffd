import type { ObjectMeta } from '@nodewright/apis';

/** The metadata that the server reads and writes. Other fields are kept. */
export type Metadata = ObjectMeta & { readonly [field: string]: unknown };

/** An object of any kind as the server stores it. It is never changed in place; every write makes a new object. */
export type ApiObject = {
  readonly kind: string;
  readonly apiVersion: string;
  readonly metadata: Metadata;
  readonly [field: string]: unknown;
};

/** Namespace is empty for cluster-scoped kinds. */
export type StoredKey = { readonly namespace: string; readonly name: string };

/** A key text that sorts as lists do: by namespace, then by name. */
export const keyText = ({ namespace, name }: StoredKey): string => `${namespace}/${name}`;

export const storedKeyOf = ({ metadata }: ApiObject): StoredKey => ({
  namespace: metadata.namespace ?? '',
  name: metadata.name,
});

export const changeMetadata = (object: ApiObject, change: Partial<Metadata>): ApiObject => ({
  ...object,
  metadata: { ...object.metadata, ...change },
});
