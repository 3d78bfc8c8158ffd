/**
 * Rules for manifests that an API server accepts and that still do something else than people expect: budgets,
 * PodDisruptionBudgets, images, NodePools, windows. Pure functions over objects: instant, catalogue and version are passed in.
 */
export type { ManifestPath, LintFinding, LintSetting, LintSeverity } from './lint-rule.ts';
export { lintManifests } from './lint-manifests.ts';
export { lintRules } from './lint-rules.ts';
export { printManifestPath } from './print-manifest-path.ts';
