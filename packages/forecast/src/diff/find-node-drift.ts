import type { Instant, NodeClaim, NodePool } from '@nodewright/apis';
import { driftReason, type DriftReason } from '@nodewright/engine';
import type { Instance } from '@nodewright/ports';
import { isCompatible, parseRequirements, printRequirements, requirementsOfLabels } from '@nodewright/requirements';
import type { FoundClass } from './look-up-class.ts';

export type WantedOfClaim = {
  readonly claim: NodeClaim;
  readonly nodePool: NodePool;
  readonly found: FoundClass | undefined;
  readonly instance: Instance | undefined;
  readonly now: Instant;
};

/** Why a node would be replaced, as the condition `Drifted` has it, and what of it in words. */
export type NodeDriftFinding = { readonly reason: string; readonly because: string };

/** Whether a node is as pool and class ask for, by the controller's own decision. */
export function findNodeDrift({ claim, nodePool, found, instance, now }: WantedOfClaim): NodeDriftFinding | undefined {
  const reason = driftReason({
    claim,
    nodePool,
    nodeClass: found?.nodeClass,
    instanceTypes: found?.instanceTypes ?? [],
    instance: found === undefined ? undefined : instance,
    withheld: found?.withheld ?? [],
    now,
  });
  return reason === undefined ? undefined : { reason, because: becauseOf(reason, { claim, nodePool, found }) };
}

function becauseOf(
  reason: DriftReason,
  { claim, nodePool, found }: Pick<WantedOfClaim, 'claim' | 'nodePool' | 'found'>,
): string {
  switch (reason) {
    case 'NodePoolDrifted':
      return 'the hash of the NodePool changes';
    case 'NodeClassDrift':
      return 'the hash of the EC2NodeClass changes';
    case 'AMIDrift':
      return `it runs ${claim.status?.imageID ?? 'another image'}, which is not selected`;
    case 'RequirementsDrifted':
      return `its labels do not fit ${contradicted(claim, nodePool).join(' and ')}`;
    case 'SubnetDrift':
      return `its subnet is not among ${(found?.nodeClass.status?.subnets ?? []).map(({ id }) => id).join(', ')}`;
    case 'SecurityGroupDrift':
      return `its security groups are not ${(found?.nodeClass.status?.securityGroups ?? []).map(({ id }) => id).join(', ')}`;
    case 'InstanceTypeNotFound':
      return 'its instance type is not on offer';
    case 'CapacityReservationDrift':
      return 'its capacity reservation is not selected';
    case 'PlacementGroupDrift':
      return 'its placement group is another';
  }
}

/** The requirements of the pool that the labels of the node do not meet. */
function contradicted({ metadata }: NodeClaim, { spec }: NodePool): readonly string[] {
  const labels = requirementsOfLabels(metadata.labels);
  return spec.template.spec.requirements.flatMap((requirement) => {
    const parsed = parseRequirements([requirement]);
    return isCompatible(labels, parsed) ? [] : [printRequirements(parsed)];
  });
}
