/**
 * Random histories of simulated clusters: what a cluster is and what happens to it is plain data, the controllers run on it
 * as they are, and a list of invariants is checked after every write. A history that breaks one is made smaller. It decides
 * nothing about nodes.
 */
export { flaws } from './flaws/flaws.ts';
export { drawHistory } from './histories/draw-history.ts';
export type { HistoryBounds } from './histories/draw-history.ts';
export { stepKinds } from './histories/draw-steps.ts';
export { readHistory, formatHistory } from './histories/history-file.ts';
export type { History } from './histories/history.ts';
export type { FleetOutcome } from './incidents/fleet.ts';
export type { Incident } from './incidents/incident.ts';
export { incidents } from './incidents/incidents.ts';
export { liveIncident } from './incidents/live-incident.ts';
export type { LivedIncident } from './incidents/live-incident.ts';
export { playHistory } from './worlds/play-history.ts';
export type { PlayedHistory } from './worlds/play-history.ts';
export { shrinkHistory } from './shrinking/shrink-history.ts';
