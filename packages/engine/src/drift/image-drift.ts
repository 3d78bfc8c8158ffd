import { kubernetesLabels, type EC2NodeClass, type NodeClaim, type NodeSelectorRequirement } from '@nodewright/apis';
import { isCompatible, parseRequirements, selectBootImage } from '@nodewright/requirements';
import type { InstanceType } from '../instance-types/instance-type.ts';

export type ImageDriftSnapshot = {
  readonly claim: NodeClaim;
  readonly nodeClass: EC2NodeClass;
  /** What the pool's NodeClass could give. */
  readonly instanceTypes: readonly InstanceType[];
  /** Kinds of types whose images are all too young (`ImageDecision.withheld`). */
  readonly withheld?: readonly (readonly NodeSelectorRequirement[])[];
};

/**
 * Whether a node of this claim would boot from another image today. A type that no image is for
 * any more has drifted too, unless images for it are only too young: nothing could replace it.
 * @returns `undefined` when it is not known: the type is unknown, no image is selected or the claim has none
 */
export function hasImageDrifted({
  claim,
  nodeClass,
  instanceTypes,
  withheld = [],
}: ImageDriftSnapshot): boolean | undefined {
  const typeName = claim.metadata.labels?.[kubernetesLabels.instanceType];
  const type = instanceTypes.find(({ name }) => name === typeName);
  const amis = nodeClass.status?.amis ?? [];
  const imageId = claim.status?.imageID;
  if (type === undefined || amis.length === 0 || !imageId) return undefined;
  const image = selectBootImage(type, amis);
  if (image !== undefined) return image.id !== imageId;
  return !withheld.some((requirements) => isCompatible(type.requirements, parseRequirements(requirements)));
}
