import type { NodeGroup } from '@nodewright/apis';
import type { NodeGroupAction } from './node-group-plan.ts';
import { isBeingDeleted } from './removal.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/**
 * Auto Scaling puts the new node of a rollout into any zone, and the old one goes in another. Balanced after each node, the group
 * would launch a further instance of the proven image, and end one that nothing drains: perhaps the new one.
 */
const keptBetweenNodes = ['AZRebalance'];

/** Processes that stay suspended, because the rollout goes on with other nodes of the group. */
export const processesToKeep = ({ nodeGroup, rollout, scaling, wanted }: NodeGroupSnapshot): readonly string[] => {
  if (rollout?.byNode === undefined || rollout.isLeading !== true || isBeingDeleted(nodeGroup)) return [];
  const isOutdated = wanted.kind === 'image' && scaling?.instances.some(({ imageId }) => imageId !== wanted.image.id);
  return isOutdated === true ? keptBetweenNodes : [];
};

/** What the controller has suspended, and is suspended still. */
export const heldProcesses = ({ nodeGroup, scaling }: NodeGroupSnapshot): readonly string[] =>
  (nodeGroup.status?.suspended ?? []).filter((process) => scaling?.suspended.includes(process) === true);

/** Resumes what nothing needs any more. */
export function listResumptions(seen: NodeGroupSnapshot): readonly NodeGroupAction[] {
  const kept = processesToKeep(seen);
  const processes = heldProcesses(seen).filter((process) => !kept.includes(process));
  if (processes.length === 0) return [];
  return [{ kind: 'step', step: { kind: 'resume', processes }, because: 'no rollout goes on with the group' }];
}

/** The status names what is held, so that it is resumed whatever becomes of the rollout. */
export function withHeldProcesses(nodeGroup: NodeGroup, processes: readonly string[]): NodeGroup {
  if (nodeGroup.status?.suspended === undefined && processes.length === 0) return nodeGroup;
  const { suspended: _suspended, ...status } = nodeGroup.status ?? {};
  return { ...nodeGroup, status: processes.length === 0 ? status : { ...status, suspended: [...processes] } };
}
