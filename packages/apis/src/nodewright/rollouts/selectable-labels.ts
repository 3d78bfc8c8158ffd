import type { KubernetesObject } from '../../kubernetes/meta.ts';

/** Selects a NodePool or NodeGroup by its name, as it selects a namespace. Nobody has to write it. */
export const resourceNameLabel = 'kubernetes.io/metadata.name';

/** The labels of a NodePool or NodeGroup as NodeRolloutPolicies and DisruptionPauses select it. */
export const selectableLabels = ({ metadata }: KubernetesObject): Readonly<Record<string, string>> => ({
  ...metadata.labels,
  [resourceNameLabel]: metadata.name,
});
