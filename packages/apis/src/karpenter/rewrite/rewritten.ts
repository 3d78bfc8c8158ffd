import type { KubernetesObject } from '../../kubernetes/meta.ts';
import type { FieldComplaint } from './shape-complaints.ts';

/** Kubelet settings that a pool held; in v1 they belong to its EC2NodeClass. */
export type PoolKubelet = { readonly nodeClass: string; readonly settings: Readonly<Record<string, unknown>> };

/** A manifest in v1, and what its writer should know: what could not carry over, what has to be added. */
export type Rewritten<T extends KubernetesObject = KubernetesObject> = {
  readonly object: T;
  readonly remarks: readonly string[];
  readonly kubelet?: PoolKubelet;
  /** Required fields are not there; the remarks name them. */
  readonly isIncomplete?: true;
};

/** A manifest that cannot be rewritten, with everything that is wrong with it. */
export type RefusedManifest = { readonly complaints: readonly FieldComplaint[] };
