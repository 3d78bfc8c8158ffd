/**
 * Inner parts of the engine for its own tests. The testkit builds a second, simple solver and single searches of
 * consolidation from them. The product imports `index.ts` only.
 */
export type { ConsolidationJudgement } from './disruption/consolidation/consider.ts';
export { gatherCandidates } from './disruption/consolidation/gather.ts';
export { searchTogether } from './disruption/consolidation/multi-node.ts';
export { searchSingly } from './disruption/consolidation/single-node.ts';
export type { SearchOutcome, WeighedMove } from './disruption/moves/search.ts';
export { addRows, fitsRow, type ResourceRow } from './instance-types/resource-rows.ts';
export { toleratesAll } from './pods/tolerations.ts';
export { addBit, bitSet } from './solve/bit-set.ts';
export type { NodeTemplate } from './solve/nodes/node-template.ts';
export type { PlacementGround, PlacementOutcome } from './solve/placement/placement.ts';
export { PlacementQueue } from './solve/pods/placement-queue.ts';
export type { ClassifiedPod, PodForm } from './solve/pods/pod-class.ts';
export { prepareRound } from './solve/round/schedule.ts';
export { firstStrategy } from './solve/round/strategies/strategy.ts';
export { placeInTopology, placesInTopology, recordInTopology } from './solve/topology/topology-placement.ts';
export { UncountedPods } from './solve/topology/uncounted-pods.ts';
export type { TypeOption } from './solve/types/type-option.ts';
export { cheapestPrice } from './solve/types/type-table.ts';
export type { ImageGate } from './images/launch-rule.ts';
export { chooseLaunchImage } from './images/launch-rule.ts';
export { compareWithPeers } from './rollouts/health/compare.ts';
export { allowedErrorOfLook } from './rollouts/health/error-budget.ts';
export { sufficientStarts } from './rollouts/health/sufficient-evidence.ts';
export type { OwnerCounters } from './rollouts/owner-counters.ts';
export type { RolloutPlan } from './rollouts/plan.ts';
export { planRollouts } from './rollouts/plan.ts';
export type {
  CheckReading,
  GovernedObject,
  RolloutNode,
  RolloutRequest,
  RolloutSnapshot,
} from './rollouts/snapshot.ts';
