import type { PersistentVolume, PersistentVolumeClaim, Pod, StorageClass } from '@nodewright/apis';

/** What is known of volumes when a decision is made. */
export type VolumeFacts = {
  readonly claim: (namespace: string, name: string) => PersistentVolumeClaim | undefined;
  readonly volume: (name: string) => PersistentVolume | undefined;
  readonly storageClass: (name: string) => StorageClass | undefined;
};

/** Names of the claims behind a pod's volumes, in its namespace; an ephemeral volume's claim is named after pod and volume. */
export const claimNamesOf = ({ metadata, spec }: Pod): readonly string[] =>
  (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName];
    return ephemeral === undefined ? [] : [`${metadata.name}-${name}`];
  });

export const claimNamespaceOf = ({ metadata }: Pod): string => metadata.namespace ?? 'default';
