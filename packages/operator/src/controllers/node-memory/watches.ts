import { kubernetesLabels, type Node, type NodeClaim, quantityUnits } from '@nodewright/apis';
import type { CapacityPort, NodeMemory } from '@nodewright/ports';
import { findClaimOfNode, findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';

type NodeMemorySources = { readonly objects: Objects; readonly capacity: CapacityPort };

/**
 * Tells the cloud how much memory a node has, once for each node, when it is registered with its claim. Nothing is stored:
 * after a start the nodes that are there tell it again.
 */
export function watchNodeMemory({ objects, capacity }: NodeMemorySources): void {
  const told = new Set<string>();
  const tell = (node: Node | undefined): void => {
    if (node === undefined || told.has(keyOfNode(node))) return;
    const claim = findClaimOfNode(objects, node);
    const seen = claim && memorySeenOn(node, claim);
    if (seen === undefined) return;
    told.add(keyOfNode(node));
    capacity.nodeMemorySeen(seen);
  };
  for (const node of objects.nodes.list()) tell(node);
  objects.nodes.cache.onChange(({ before, after }) => {
    if (after === undefined && before !== undefined) told.delete(keyOfNode(before));
    tell(after);
  });
  objects.nodeClaims.cache.onChange(({ after }) => {
    if (after !== undefined) tell(findNodeOfClaim(objects, after));
  });
}

const keyOfNode = ({ metadata }: Node): string => `${metadata.name} ${metadata.uid ?? ''}`;

/** Type and image are those of the claim: a node may say of itself what it likes. */
export function memorySeenOn(node: Node, { metadata, status }: NodeClaim): NodeMemory | undefined {
  const instanceType = metadata.labels?.[kubernetesLabels.instanceType];
  const imageId = status?.imageID;
  const memory = node.status?.capacity?.['memory'];
  if (instanceType === undefined || imageId === undefined || memory === undefined) return undefined;
  const bytes = quantityUnits(memory);
  return bytes > 0 ? { instanceType, imageId, bytes } : undefined;
}
