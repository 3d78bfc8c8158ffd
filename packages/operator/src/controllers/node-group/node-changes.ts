import type { Node } from '@nodewright/apis';
import type { Objects } from '../../state/objects.ts';
import { loadBalancerLabel, updateTaint } from './names.ts';

/** A node that is gone needs no change. */
export async function changeNode(
  { objects }: { readonly objects: Objects },
  name: string,
  change: (node: Node) => Node,
): Promise<void> {
  const node = objects.nodes.get(name);
  if (node !== undefined) await objects.nodes.save(node, change(node));
}

/** No new pods, and no traffic from outside. */
export function marked(node: Node): Node {
  const taints = [...(node.spec?.taints ?? []).filter(({ key }) => key !== updateTaint.key), updateTaint];
  const labels = { ...node.metadata.labels, [loadBalancerLabel]: 'true' };
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, taints } };
}

export function unmarked(node: Node): Node {
  const taints = (node.spec?.taints ?? []).filter(({ key }) => key !== updateTaint.key);
  const { [loadBalancerLabel]: _, ...labels } = node.metadata.labels ?? {};
  return { ...node, metadata: { ...node.metadata, labels }, spec: { ...node.spec, taints } };
}

export const cordoned = (node: Node): Node => ({ ...node, spec: { ...node.spec, unschedulable: true } });

export function uncordoned(node: Node): Node {
  const { unschedulable: _, ...spec } = node.spec ?? {};
  return { ...node, spec };
}
