/**
 * What a change will do to a cluster, before it is made: snapshots of a cluster and its account, the differences that
 * manifests make, what an upgrade of the control plane would leave without an answer, and forecasts, which run the
 * controllers on a snapshot on virtual time. It reads clusters and accounts, and never writes to them.
 */
export { decodeSnapshot, encodeSnapshot } from './snapshot/snapshot-file.ts';
export { takeSnapshot } from './snapshot/take-snapshot.ts';
export type { Snapshot } from './snapshot/snapshot.ts';
export { restoreBeginning } from './world/forecast-world.ts';
export { redactSnapshot } from './redact/redact-snapshot.ts';
export { diffManifests } from './diff/diff-manifests.ts';
export type { FieldChange } from './diff/field-changes.ts';
export { isRolled } from './diff/manifest-diff.ts';
export type { ManifestDiff, NodeDiff, ObjectDiff } from './diff/manifest-diff.ts';
export { isBlocked, preflightUpgrade } from './preflight/preflight-upgrade.ts';
export type { PreflightFinding, PreflightReport } from './preflight/preflight-finding.ts';
export { makeForecast } from './report/make-forecast.ts';
export type { ForecastGroupUpdate, ForecastRelease } from './run/forecast-change.ts';
export { kindOfManifest } from './run/forecast-change.ts';
export type { ForecastNode, ForecastReport, ForecastSummary } from './report/forecast-report.ts';
export type { FailOn } from './report/fail-on.ts';
export { listFailures } from './report/fail-on.ts';
