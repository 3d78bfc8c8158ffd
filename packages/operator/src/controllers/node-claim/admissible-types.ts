import { type NodeClaim, readOwn } from '@nodewright/apis';
import { requirementsIntersect, parseRequirements } from '@nodewright/requirements';
import { resourcesOf, variantsOf, wholeTypes, type InstanceType, type Resources } from '@nodewright/engine';

/** The types a claim may be launched as now: admitted by its requirements, big enough, and on offer; without offerings through which they would be too small. */
export function admissibleTypes(claim: NodeClaim, types: readonly InstanceType[]): readonly InstanceType[] {
  const requirements = parseRequirements(claim.spec.requirements);
  const requests = resourcesOf(claim.spec.resources?.requests);
  return wholeTypes(
    types
      .flatMap(variantsOf)
      .filter(
        ({ type }) =>
          requirementsIntersect(requirements, type.requirements) && fitsAllocatable(requests, type.allocatable),
      )
      .filter(({ type }) =>
        type.offerings.some((o) => o.available && requirementsIntersect(requirements, o.requirements)),
      ),
  );
}

const fitsAllocatable = (requests: Resources, allocatable: Resources): boolean =>
  Object.entries(requests).every(([name, amount]) => amount <= (readOwn(allocatable, name) ?? 0));
