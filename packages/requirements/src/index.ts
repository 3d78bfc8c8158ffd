/**
 * The label algebra: what one label may be (`Requirement`), what all labels may be (`Requirements`),
 * intersections, compatibility, minimum values, and their written form. Pure and total: the order of
 * operands never matters. `engine` and `provider-aws` share it, so both read a NodePool alike.
 */
export { selectBootImage } from './boot-image.ts';
export type { Incompatibility } from './compatibility.ts';
export {
  conflictBetween,
  findIncompatibleLabel,
  requirementsIntersect,
  isCompatible,
  admitsRequirement,
} from './compatibility.ts';
export { contradictedKey } from './contradiction.ts';
export { hasIntersection, intersectRequirements, intersectSets, requirementFor } from './intersection.ts';
export type { MinValuesShortfall } from './min-values.ts';
export { countMinValues, relaxMinValues } from './min-values.ts';
export { nearestKey } from './nearest-key.ts';
export { normaliseKey } from './normalise-key.ts';
export { requirementComplaint } from './requirement-complaint.ts';
export {
  noRequirements,
  requirementSet,
  parseRequirements,
  requirementsOfLabels,
  withoutKeys,
} from './requirement-set.ts';
export { requirementText } from './requirement-text.ts';
export {
  allowsValue,
  allowAnything,
  requireOneOf,
  operatorOfRequirement,
  chooseValue,
  parseRequirement,
} from './requirement.ts';
export type { Requirement, Requirements } from './requirements.ts';
export { printRequirement, printRequirements, writeRequirements } from './written-form.ts';
