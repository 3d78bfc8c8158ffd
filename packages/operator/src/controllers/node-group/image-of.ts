import type { Node } from '@nodewright/apis';
import type { ScalingGroup } from '@nodewright/ports';
import { eksLabels, instanceIdOf } from './names.ts';

/** The image that a node was launched from, as far as it is known. */
export function imageOf(node: Node, scaling: ScalingGroup | undefined): string | undefined {
  const instance = scaling?.instances.find(({ id }) => id === instanceIdOf(node));
  return instance?.imageId ?? node.metadata.labels?.[eksLabels.image];
}
