/**
 * The decisions: given a snapshot, what should happen and why. Plain functions over plain
 * data; no promises, clock, logger, chance or environment, so it runs in a browser too.
 */
export type { Requirement, Requirements } from './requirements/requirements.ts';
export { coreWellKnownLabels, normaliseKey } from './requirements/label-keys.ts';
export type { RequirementOperator } from './requirements/requirement.ts';
export {
  allows,
  anything,
  nothing,
  oneOf,
  operatorOf,
  representative,
  requirement,
} from './requirements/requirement.ts';
export { hasIntersection, intersect, intersectSets, requirementFor } from './requirements/intersection.ts';
export {
  noRequirements,
  requirementSet,
  requirementsOf,
  requirementsOfLabels,
} from './requirements/requirement-set.ts';
export type { Incompatibility } from './requirements/compatibility.ts';
export { conflictBetween, incompatibility, intersects, isCompatible } from './requirements/compatibility.ts';
export type { MinValuesCount, MinValuesShortfall } from './requirements/min-values.ts';
export { countMinValues, relaxMinValues } from './requirements/min-values.ts';
export { printed, printedIncompatibility, printedSet, written, writtenSet } from './requirements/written-form.ts';
export type { CapacityType, InstanceType, Offering, Resources } from './scheduling/instance-type.ts';
