/**
 * What happens next in the update of a node group: observed group, instances, nodes and pods in,
 * actions and reasons out. The sandbox's EKS runs it as AWS would, the operator runs it for plain
 * Auto Scaling groups. It refuses to know who asks.
 */
export { countParallelReplacements, countSurgeInstances } from './arithmetic.ts';
export { eksLimits } from './limits.ts';
export type { UpdateLimits } from './limits.ts';
export type { Observation, SeenInstance, SeenNode, SeenPod } from './observation.ts';
export { planUpdate } from './plan-update.ts';
export type { Chance } from './progress.ts';
export type { HeldPod, UpdateAction, UpdatePlan } from './update-plan.ts';
export { beginUpdate, cancelUpdateRecord, failUpdate, isOver } from './update-record.ts';
export type { NewUpdate, NodesOfUpdate, UpdateFailure, UpdateRecord } from './update-record.ts';
