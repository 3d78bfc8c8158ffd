import { karpenterLabels, readOwn } from '@nodewright/apis';
import { nodeLabelsOf, nodePoolNameOf, type NodeState } from '@nodewright/engine';
import type { NodeJudgement } from '../explain/node-judgement.ts';

const managedGroupLabel = 'eks.amazonaws.com/nodegroup';

/** Whose node it is: `NodePool/default`, `managed node group system` by its name in AWS, or `(unmanaged)`. */
export function readNodeGroupName(state: NodeState): string {
  const pool = nodePoolNameOf(state);
  if (pool !== undefined) return `NodePool/${pool}`;
  const group = readOwn(nodeLabelsOf(state), managedGroupLabel);
  return group === undefined ? '(unmanaged)' : `managed node group ${group}`;
}

/** As `readNodeGroupName`; a group that a NodeGroup is about has the name of that object: `NodeGroup/workers`. */
export const nameGroupOfNode = (state: NodeState, judgement: NodeJudgement): string =>
  judgement.kind === 'unmanaged' && judgement.grouped !== undefined
    ? `NodeGroup/${judgement.grouped.group.metadata.name}`
    : readNodeGroupName(state);

/** `spot` and `on-demand`, also where EKS has written `SPOT` and `ON_DEMAND`. */
export function readCapacityType(state: NodeState): string | undefined {
  const labels = nodeLabelsOf(state);
  const ofGroup = readOwn(labels, 'eks.amazonaws.com/capacityType');
  return readOwn(labels, karpenterLabels.capacityType) ?? ofGroup?.toLowerCase().replaceAll('_', '-');
}
