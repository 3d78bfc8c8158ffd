import type { Pod } from '@nodewright/apis';

/** Keys of the claims behind a pod's volumes; the claim of an ephemeral volume is named after pod and volume. */
export const claimKeysOf = ({ metadata, spec }: Pick<Pod, 'metadata' | 'spec'>): readonly string[] =>
  (spec.volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [`${metadata.namespace}/${persistentVolumeClaim.claimName}`];
    return ephemeral === undefined ? [] : [`${metadata.namespace}/${metadata.name}-${name}`];
  });
