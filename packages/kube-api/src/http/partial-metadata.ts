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
export const partialMetadata = (object: ApiObject): MetadataDocument => ({
  kind: 'PartialObjectMetadata',
  apiVersion,
  metadata: metadataAlone(object),
});

const oldAnnotation = 'deprecated.daemonset.template.generation';

/** The metadata of a daemon set is without the annotation that only whole objects get. */
function metadataAlone({ kind, metadata }: ApiObject): ApiObject['metadata'] {
  if (kind !== 'DaemonSet' || metadata.annotations?.[oldAnnotation] === undefined) return metadata;
  const kept = Object.entries(metadata.annotations).filter(([name]) => name !== oldAnnotation);
  const { annotations: _all, ...others } = metadata;
  return { ...others, ...(kept.length > 0 && { annotations: Object.fromEntries(kept) }) };
}

export const partialMetadataList = (objects: readonly ApiObject[], metadata: ListMetadata): MetadataDocument => ({
  kind: 'PartialObjectMetadataList',
  apiVersion,
  metadata: dropBlankContinue(metadata),
  items: objects.length === 0 ? null : objects.map(partialMetadata),
});

/** Only lists of whole custom resources say that nothing follows them. */
export function dropBlankContinue({ continue: token, ...others }: ListMetadata): ListMetadata {
  return { ...others, ...(token !== undefined && token !== '' && { continue: token }) };
}
