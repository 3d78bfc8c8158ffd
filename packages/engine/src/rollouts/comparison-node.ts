import type { RolloutFailure } from '@nodewright/apis';

/** The failure of a comparison, and of a check of all new nodes, has no node. */
export const comparisonNode = '*';

/** Which node failed, as `kubectl get nodes` and `kubectl get nodeclaims` name it. */
export function printFailedNode({ node, nodeName }: Pick<RolloutFailure, 'node' | 'nodeName'>): string {
  if (node === comparisonNode) return 'all new nodes';
  return nodeName === undefined ? node : `${nodeName} (${node})`;
}
