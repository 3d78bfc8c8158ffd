import { readOwn } from '@nodewright/apis';
import { nodeLabelsOf, nodePoolNameOf, type NodeState } from '@nodewright/engine';

const managedGroupLabel = 'eks.amazonaws.com/nodegroup';

/** Whose node it is: `NodePool/default`, `NodeGroup/system`, or `(unmanaged)`. */
export function readNodeGroupName(state: NodeState): string {
  const pool = nodePoolNameOf(state);
  if (pool !== undefined) return `NodePool/${pool}`;
  const group = readOwn(nodeLabelsOf(state), managedGroupLabel);
  return group === undefined ? '(unmanaged)' : `NodeGroup/${group}`;
}
