import type { ApiObject } from '../storage/api-object.ts';

/** The `metadata` of a list answer. */
export type ListMetadata = {
  readonly resourceVersion: string;
  readonly continue?: string;
  readonly remainingItemCount?: number;
};

type MetadataDocument = Readonly<Record<string, unknown>>;

const apiVersion = 'meta.k8s.io/v1';

/** An object's metadata, for clients that need nothing else. */
export const partialMetadata = ({ metadata }: ApiObject): MetadataDocument => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata,
});

export const partialMetadataList = (objects: readonly ApiObject[], metadata: ListMetadata): MetadataDocument => ({
  kind: 'PartialObjectMetadataList',
  apiVersion,
  metadata: withoutEmptyContinue(metadata),
  items: objects.length === 0 ? null : objects.map(partialMetadata),
});

/** Only lists of whole custom resources say that nothing follows them. */
export function withoutEmptyContinue({ continue: token, ...others }: ListMetadata): ListMetadata {
  return { ...others, ...(token !== undefined && token !== '' && { continue: token }) };
}
