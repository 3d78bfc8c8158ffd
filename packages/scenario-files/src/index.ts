/**
 * Scenario files: what is given, what happens, and what has to hold, read from YAML with exact problems, played on an embedded
 * EKS on virtual time with the controllers as they are, and reported. It decides nothing about nodes.
 */
export { readScenarios } from './reading/read-scenarios.ts';
export { ScenarioFileError } from './reading/source-text.ts';
export type { ScenarioFile } from './reading/scenario-file.ts';
export { prepareScenario } from './manifests/prepare-scenario.ts';
export { describeSkipped } from './manifests/manifest-files.ts';
export { listKustomizePatches, listManifestFiles } from './manifests/manifest-folder.ts';
export { playScenario } from './playing/play-scenario.ts';
export { type ScenarioResult, titleOfResult } from './playing/scenario-result.ts';
export { fitIncident } from './incidents/fit-incident.ts';
export { readTeamManifests, type TeamManifests } from './incidents/team-manifests.ts';
export { type IncidentEnd, judgeIncident } from './incidents/judge-incident.ts';
export { printResults, quoteWord } from './reporting/print-result.ts';
export { reportObject } from './reporting/result-object.ts';
export { printJunit } from './reporting/junit.ts';
export { scenarioJsonSchema } from './schema/scenario-schema.ts';
export { kindJsonSchema, listSchemaKinds } from './schema/kind-schema.ts';
export { printTimeline } from './reporting/print-timeline.ts';
export type { TestedWorld } from './world/tested-world.ts';
export { paceTime } from './world/paced-time.ts';
export type { HostedCluster, ScenarioController, WorldHost } from './world/world-host.ts';
export { drawEvents, type WrittenStep } from './fuzz/draw-events.ts';
export { fuzzManifests, readFuzzSubject, type FuzzSubject } from './fuzz/fuzz-subject.ts';
export { shrinkEvents } from './fuzz/shrink-events.ts';
export { writeHistory } from './fuzz/write-history.ts';
export { printFirstScenario } from './reporting/first-scenario.ts';
