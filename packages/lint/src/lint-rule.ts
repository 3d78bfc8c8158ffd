import type { Instant, KubernetesObject, NodePool } from '@nodewright/apis';
import type { InstanceType } from '@nodewright/engine';
import type { ManifestSet } from './manifest-set.ts';

/**
 * `error`: it cannot work as written. `warning`: it works, and does something that few people want. `note`: worth knowing.
 */
export type LintSeverity = 'error' | 'warning' | 'note';

export type ManifestPath = readonly (string | number)[];

/** One place in a manifest that a rule is about. */
export type LintProblem = {
  readonly object: KubernetesObject;
  /** The field, from the root of the object; empty for the object as a whole. */
  readonly path: ManifestPath;
  readonly value?: unknown;
  /** What happens as it is written: a sentence without its full stop. */
  readonly why: string;
  /** What to write: a clause in the imperative without its full stop. */
  readonly instead: string;
};

/** What rules know beside the manifests. */
export type LintSetting = {
  readonly now: Instant;
  /** The control plane's minor, `1.33`, where it is known. */
  readonly kubernetesVersion?: string;
  /** What a pool could launch, where a catalogue is at hand. */
  readonly typesOf?: (nodePool: NodePool) => readonly InstanceType[];
};

export type LintRule = {
  /** Kebab case: what `nodewright:ignore` names. */
  readonly name: string;
  readonly severity: LintSeverity;
  /** What it looks for, a sentence for the documentation. */
  readonly about: string;
  readonly check: (manifests: ManifestSet, setting: LintSetting) => readonly LintProblem[];
};

export type LintFinding = LintProblem & { readonly rule: string; readonly severity: LintSeverity };
