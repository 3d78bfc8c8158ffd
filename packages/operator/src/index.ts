/**
 * The controllers. Each observes the world once, plans with plain functions, and performs the plan
 * through a few narrow interfaces; what is under way is written on the objects themselves, so a
 * restart at any line is just another turn. It refuses to know any provider.
 */
export { startOperator } from './operator.ts';
export type { Operator } from './operator.ts';
export { defaultOperatorSettings } from './settings.ts';
export type { OperatorSettings } from './settings.ts';
export { readClusterState, readRolloutPlans } from './cluster-reading.ts';
export type { ClusterFollower } from './cluster-following.ts';
export { followClusterState } from './cluster-following.ts';
export type { ClusterReading, RolloutObjects } from './cluster-reading.ts';
export { readFamilyImages, readImageGates, readNodeClassImages } from './image-reading.ts';
export type { ImageReading, ImageReadingSources } from './image-reading.ts';
export { readImageRules } from './image-rule-reading.ts';
export type { RolloutOutlook } from './rollout-outlook.ts';
export { sendTestMessage } from './controllers/rollout-notification/perform.ts';
export { type NodeGroupReadingSources, readNodeGroup } from './node-group-reading.ts';
export { failureWords } from './controllers/node-group/failure-words.ts';
export type { UpdateForecast } from './controllers/node-group/forecast.ts';
export type { NodeStanding } from './controllers/node-group/node-standings.ts';
export type { RoundSnapshot } from './controllers/provisioning/observe.ts';
export { OperatorInspection } from './reporting/inspection.ts';
export type { ReportEntry } from './reporting/report-entry.ts';
