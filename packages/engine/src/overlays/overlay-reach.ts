import type { NodeOverlay, NodePool } from '@nodewright/apis';
import {
  requirementsIntersect,
  isCompatible,
  requirementSet,
  parseRequirements,
  requirementsOfLabels,
  type Requirements,
} from '@nodewright/requirements';
import type { InstanceType, Offering } from '../instance-types/instance-type.ts';
import { nodePoolTemplateLabels } from '../solve/nodes/node-template.ts';

/** An overlay with its requirements read. */
export type ReadOverlay = { readonly overlay: NodeOverlay; readonly requirements: Requirements };

export const readOverlay = (overlay: NodeOverlay): ReadOverlay => ({
  overlay,
  requirements: parseRequirements(overlay.spec.requirements),
});

/** What overlays may ask of a pool beside its instance types: its name and the labels of its nodes. */
export const poolRequirements = (nodePool: NodePool): Requirements =>
  requirementsOfLabels(nodePoolTemplateLabels(nodePool));

/**
 * The offerings of a type in a pool that an overlay speaks of; none when it does not apply to the type. A label that
 * neither the type nor the pool knows is not met by `In`, `Exists` and bounds.
 */
export function reachedOfferings(
  { requirements }: ReadOverlay,
  pool: Requirements,
  type: InstanceType,
): readonly Offering[] {
  const known = [...requirements.keys()].flatMap((key) =>
    [type.requirements.get(key) ?? [], pool.get(key) ?? []].flat(),
  );
  if (!isCompatible(requirementSet(known), requirements)) return [];
  return type.offerings.filter((offering) => requirementsIntersect(requirements, offering.requirements));
}
