import { kubernetesLabels, type Node, type NodeClaim, quantityUnits } from '@nodewright/apis';
import type { NodeMemory } from '@nodewright/ports';

/** How much memory a machine of the claim's type and image has. Both are the claim's: a node may say anything of itself. */
export function memorySeenOn(node: Node, { metadata, status }: NodeClaim): NodeMemory | undefined {
  const instanceType = metadata.labels?.[kubernetesLabels.instanceType];
  const imageId = status?.imageID;
  const memory = node.status?.capacity?.['memory'];
  if (instanceType === undefined || imageId === undefined || memory === undefined) return undefined;
  const bytes = quantityUnits(memory);
  return bytes > 0 ? { instanceType, imageId, bytes } : undefined;
}
