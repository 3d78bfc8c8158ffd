import type { RolloutFailure } from '@nodewright/apis';

/** The failure of a comparison, and of a check of all new nodes, has no node. */
export const comparisonNode = '*';

/** Which node failed, as `kubectl get nodes` and `kubectl get nodeclaims` name it. */
export function printFailedNode({ node, nodeName }: Pick<RolloutFailure, 'node' | 'nodeName'>): string {
  return node === comparisonNode ? 'all new nodes' : printMovedNode({ node, nodeName });
}

/** A node by the name of its Node, and by that of its NodeClaim or instance. */
export const printMovedNode = ({
  node,
  nodeName,
}: {
  readonly node: string;
  readonly nodeName?: string | undefined;
}): string => (nodeName === undefined ? node : `${nodeName} (${node})`);
