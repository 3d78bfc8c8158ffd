import { conditionOf, type Node } from '@nodewright/apis';
import { goalOfGroup, nodesToGo } from './goal.ts';
import { imageOfGroupNode } from './image-of.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** Nodes that run something else than the wanted image. */
export function outdatedNodes({ nodes, scaling, wanted }: NodeGroupSnapshot): readonly Node[] {
  if (wanted.kind !== 'image') return [];
  return nodes.filter((node) => imageOfGroupNode(node, scaling) !== wanted.image.id);
}

export function countNodes(seen: NodeGroupSnapshot): {
  readonly total: number;
  readonly updated: number;
  readonly ready: number;
} {
  const total = seen.nodes.length;
  const updated = goalOfGroup(seen) === undefined ? 0 : total - nodesToGo(seen).length;
  return { total, updated, ready: seen.nodes.filter(isReadyGroupNode).length };
}

export const isReadyGroupNode = (node: Node): boolean => conditionOf(node, 'Ready')?.status === 'True';
