import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { valueAtPath, isEqualJson, isObject, type JsonObject, memberOf, jsonTextAt } from '../../schema/json.ts';
import { validateImmutable, jsonObjectsIn, validateChoice } from './checks.ts';

const taintEffects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** The problems of a Node. A real server reports taints below `metadata`, and twice on an update. */
export function nodeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const taints = jsonObjectsIn(valueAtPath(object, 'spec', 'taints')).flatMap((taint, index) => {
    const key = jsonTextAt(taint, 'key');
    const field = `metadata.taints[${index}]`;
    return [
      ...validateQualifiedName(key).map((text) => invalidCause(`${field}.key`, key, text)),
      ...(jsonTextAt(taint, 'effect') === ''
        ? [requiredCause(`${field}.effect`)]
        : validateChoice(`${field}.effect`, memberOf(taint, 'effect'), taintEffects)),
    ];
  });
  return old === undefined ? taints : [...taints, ...taints, ...providerCauses(object, old)];
}

function providerCauses(object: JsonObject, old: JsonObject): Cause[] {
  const before = jsonTextAt(old, 'spec', 'providerID');
  return before === '' || before === jsonTextAt(object, 'spec', 'providerID')
    ? []
    : [forbiddenCause('spec.providerID', 'node updates may not change providerID except from "" to valid')];
}

/** The problems of a Lease. */
export function leaseCauses(object: JsonObject): Cause[] {
  const seconds = valueAtPath(object, 'spec', 'leaseDurationSeconds');
  const transitions = valueAtPath(object, 'spec', 'leaseTransitions');
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [invalidCause('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalidCause('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

/** The role of a binding is immutable. */
export function bindingCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const role = memberOf(object, 'roleRef');
  if (!isObject(role) || old === undefined || isEqualJson(role, memberOf(old, 'roleRef'))) return [];
  const printed = {
    APIGroup: jsonTextAt(role, 'apiGroup'),
    Kind: jsonTextAt(role, 'kind'),
    Name: jsonTextAt(role, 'name'),
  };
  return [invalidCause('roleRef', printed, 'cannot change roleRef')];
}

/** A priority never changes. */
export const priorityClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] =>
  old === undefined || isEqualJson(memberOf(object, 'value'), memberOf(old, 'value'))
    ? []
    : [forbiddenCause('value', 'may not be changed in an update.')];

/** Most fields of a storage class are immutable. */
export const storageClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] =>
  old === undefined
    ? []
    : ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
        validateImmutable(key, memberOf(old, key), memberOf(object, key)),
      );
