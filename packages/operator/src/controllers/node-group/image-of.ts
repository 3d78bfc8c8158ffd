import type { Node } from '@nodewright/apis';
import type { ScalingGroup } from '@nodewright/ports';
import { eksLabels, instanceIdOfNode } from './names.ts';

/** The image that a node was launched from, as far as it is known. */
export function imageOfGroupNode(node: Node, scaling: ScalingGroup | undefined): string | undefined {
  const instance = scaling?.instances.find(({ id }) => id === instanceIdOfNode(node));
  return instance?.imageId ?? node.metadata.labels?.[eksLabels.image];
}
