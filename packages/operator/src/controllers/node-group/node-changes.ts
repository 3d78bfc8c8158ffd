import type { Node } from '@nodewright/apis';
import type { Objects } from '../../state/objects.ts';
import { loadBalancerLabel, groupUpdateTaint } from './names.ts';

/** A node that is gone needs no change. */
export async function changeGroupNode(
  { objects }: { readonly objects: Objects },
  name: string,
  change: (node: Node) => Node,
): Promise<void> {
  const node = objects.nodes.get(name);
  if (node !== undefined) await objects.nodes.save(node, change(node));
}

/** No new pods, and no traffic from outside. */
export function markNode(node: Node): Node {
  const taints = [...(node.spec?.taints ?? []).filter(({ key }) => key !== groupUpdateTaint.key), groupUpdateTaint];
  const labels = { ...node.metadata.labels, [loadBalancerLabel]: 'true' };
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, taints } };
}

export function unmarkNode(node: Node): Node {
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== groupUpdateTaint.key);
  const { [loadBalancerLabel]: _, ...labels } = node.metadata.labels ?? {};
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, taints } };
}

export const cordonNode = (node: Node): Node => ({ ...node, spec: { ...node.spec, unschedulable: true } });

export function uncordonNode(node: Node): Node {
  const { unschedulable: _, ...spec } = node.spec ?? {};
  return { ...node, spec };
}
