import type { KubernetesObject } from '../../kubernetes/meta.ts';

/** Every NodePool and NodeGroup has this label with its own name, as every namespace has. It is not written in the object. */
export const resourceNameLabel = 'kubernetes.io/metadata.name';

/** The labels of a NodePool or NodeGroup as NodeRolloutPolicies and DisruptionPauses select it. */
export const selectableLabels = ({ metadata }: KubernetesObject): Readonly<Record<string, string>> => ({
  ...metadata.labels,
  [resourceNameLabel]: metadata.name,
});
