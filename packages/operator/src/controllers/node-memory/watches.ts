import type { Node } from '@nodewright/apis';
import type { CapacityPort } from '@nodewright/ports';
import { findClaimOfNode, findNodeOfClaim } from '../../state/node-identity.ts';
import type { Objects } from '../../state/objects.ts';
import { memorySeenOn } from './plan.ts';

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
