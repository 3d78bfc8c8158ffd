import { kubernetesLabels, type NodeClaim } from '@nodewright/apis';
import { parseRequirements } from '@nodewright/requirements';
import { maxResources, noResources, toResourceList, type NodeState, type PoolSupply } from '@nodewright/engine';

/** A claim without an instance as the largest node that it may become, with room for nobody: for limits that count it. */
export function largestOf(claim: NodeClaim, supplies: readonly PoolSupply[]): NodeState {
  const asked = parseRequirements(claim.spec.requirements).get(kubernetesLabels.instanceType);
  const names = asked === undefined || asked.complement ? new Set<string>() : asked.values;
  const types = new Map(
    supplies
      .flatMap(({ instanceTypes }) => instanceTypes.filter(({ name }) => names.has(name)))
      .map((type) => [type.name, type]),
  );
  const capacity = [...types.values()].map((type) => type.capacity).reduce(maxResources, noResources);
  const status = { ...claim.status, capacity: toResourceList(capacity), allocatable: {} };
  return { nodeClaim: { ...claim, status }, pods: [] };
}
