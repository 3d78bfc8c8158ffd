import type { KubernetesObject } from '@nodewright/apis';
import type { LintFinding, LintSetting } from './lint-rule.ts';
import { lintRules } from './lint-rules.ts';
import { sortManifests } from './manifest-set.ts';

/**
 * What the rules find in manifests, rule by rule.
 *
 * Assumptions: an API server would accept the objects, and they are of the stored versions (`karpenter.sh/v1`).
 */
export function lintManifests(objects: readonly KubernetesObject[], setting: LintSetting): readonly LintFinding[] {
  const manifests = sortManifests(objects);
  return lintRules.flatMap(({ name, severity, check }) =>
    check(manifests, setting).map((problem) => ({ rule: name, severity, ...problem })),
  );
}
