import type { ApiObject } from '../storage/api-object.ts';

/** The `metadata` of a list answer. */
export type ListMetadata = {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
};

type Document = Readonly<Record<string, unknown>>;

const apiVersion = 'meta.k8s.io/v1';

/** An object's metadata alone, for clients that need no more. */
export const metadataOf = ({ metadata }: ApiObject): Document => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata,
});

export const metadataListOf = (objects: readonly ApiObject[], metadata: ListMetadata): Document => ({
  kind: 'PartialObjectMetadataList',
  apiVersion,
  metadata,
  items: objects.map(metadataOf),
});
