import { type NodePool, selectableLabels } from '@nodewright/apis';
import { type GovernedObject, governedId } from '@nodewright/engine';
import type { ImageDecisions } from '../../state/image-decisions.ts';
import type { Objects } from '../../state/objects.ts';
import { replacementFailureOn } from '../../state/replacement-failures.ts';
import { imageSourceOf } from '../../state/rollout-governance.ts';
import { specFingerprint } from '../../state/spec-fingerprint.ts';

/** A NodePool as a plan looks at it. */
export function governedPool(
  {
    objects: { nodeClasses },
    decisions,
  }: { readonly objects: Pick<Objects, 'nodeClasses'>; readonly decisions: ImageDecisions },
  nodePool: NodePool,
): GovernedObject {
  const { metadata, spec } = nodePool;
  const { name } = spec.template.spec.nodeClassRef;
  const failure = replacementFailureOn(nodePool);
  const { freeAddresses } = decisions.recordOf(name) ?? {};
  return {
    id: governedId({ kind: 'NodePool', name: metadata.name }),
    labels: selectableLabels(nodePool),
    source: imageSourceOf(name),
    moves: 'byNode',
    specHash: specFingerprint(nodePool, nodeClasses.get(name)),
    ...(freeAddresses === undefined ? {} : { freeAddresses }),
    ...(failure === undefined ? {} : { backOff: { until: failure.until, because: failure.because } }),
  };
}
