import type { Conditioned, KubernetesObject, NodeOverlay, NodePool } from '@nodewright/apis';
import { evaluateOverlays, overlaidTypes, type InstanceType } from '@nodewright/engine';

type TypesOf = (nodePool: NodePool) => readonly InstanceType[];

/** An overlay of a cluster or manifest that changes nothing, and why. */
export type IdleOverlay = { readonly overlay: string; readonly message: string };

export type OverlaidSupplies = { readonly typesOf: TypesOf; readonly idle: readonly IdleOverlay[] };

const overlayGateIsOff = 'the feature gate NodeOverlay is off';

/**
 * What pools can launch once overlays are applied.
 * @param gate the feature gate `NodeOverlay`; not told, it counts as on where a controller has judged an overlay
 */
export function overlaidSupplies(
  objects: readonly KubernetesObject[],
  typesOf: TypesOf,
  gate: boolean | undefined,
): OverlaidSupplies {
  const overlays = objects.filter(({ kind }) => kind === 'NodeOverlay') as unknown as readonly NodeOverlay[];
  if (!(gate ?? overlays.some(isEvaluated)))
    return { typesOf, idle: overlays.map(({ metadata }) => ({ overlay: metadata.name, message: overlayGateIsOff })) };
  const nodePools = objects.filter(({ kind }) => kind === 'NodePool') as unknown as readonly NodePool[];
  const supplies = nodePools.map((nodePool) => ({ nodePool, instanceTypes: typesOf(nodePool) }));
  const { accepted, verdicts } = evaluateOverlays(overlays, supplies);
  return {
    typesOf: (nodePool) => overlaidTypes(nodePool, typesOf(nodePool), accepted),
    idle: [...verdicts].flatMap(([overlay, verdict]) =>
      verdict.kind === 'accepted' ? [] : [{ overlay, message: verdict.message }],
    ),
  };
}

/** Whether a controller has said something about it. */
export const isEvaluated = ({ status }: Conditioned): boolean => (status?.conditions ?? []).length > 0;
