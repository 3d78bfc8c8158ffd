import { conditionOf, type Node } from '@nodewright/apis';
import type { ScalingGroup } from '@nodewright/ports';
import { eksLabels, instanceIdOf } from './names.ts';
import type { NodeGroupSnapshot } from './snapshot.ts';

/** The image that a node was launched from, as far as it is known. */
export function imageOf(node: Node, scaling: ScalingGroup | undefined): string | undefined {
  const instance = scaling?.instances.find(({ id }) => id === instanceIdOf(node));
  return instance?.imageId ?? node.metadata.labels?.[eksLabels.image];
}

/** Nodes that run something else than the wanted image. */
export function outdatedNodes({ nodes, scaling, wanted }: NodeGroupSnapshot): readonly Node[] {
  if (wanted.kind !== 'image') return [];
  return nodes.filter((node) => imageOf(node, scaling) !== wanted.image.id);
}

export function countNodes(seen: NodeGroupSnapshot): {
  readonly total: number;
  readonly updated: number;
  readonly ready: number;
} {
  const total = seen.nodes.length;
  const updated = seen.wanted.kind === 'image' ? total - outdatedNodes(seen).length : 0;
  return { total, updated, ready: seen.nodes.filter(isReady).length };
}

export const isReady = (node: Node): boolean => conditionOf(node, 'Ready')?.status === 'True';
