import { isQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, forbidden, invalid, required } from '../../schema/cause.ts';
import { at, equal, isObject, type JsonObject, member, textAt } from '../../schema/json.ts';
import { immutable, objectsIn, oneOf } from './checks.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What is wrong with a Node. Taints are reported below `metadata`, and on an update twice, as the server does. */
export function nodeCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const taints = objectsIn(at(object, 'spec', 'taints')).flatMap((taint, index) => {
    const key = textAt(taint, 'key');
    const field = `metadata.taints[${index}]`;
    return [
      ...isQualifiedName(key).map((text) => invalid(`${field}.key`, key, text)),
      ...(textAt(taint, 'effect') === ''
        ? [required(`${field}.effect`)]
        : oneOf(`${field}.effect`, member(taint, 'effect'), effects)),
    ];
  });
  return old === undefined ? taints : [...taints, ...taints, ...providerCauses(object, old)];
}

function providerCauses(object: JsonObject, old: JsonObject): Cause[] {
  const before = textAt(old, 'spec', 'providerID');
  return before === '' || before === textAt(object, 'spec', 'providerID')
    ? []
    : [forbidden('spec.providerID', 'node updates may not change providerID except from "" to valid')];
}

/** What is wrong with a Lease. */
export function leaseCauses(object: JsonObject): Cause[] {
  const seconds = at(object, 'spec', 'leaseDurationSeconds');
  const transitions = at(object, 'spec', 'leaseTransitions');
  return [
    ...(typeof seconds === 'number' && seconds <= 0
      ? [invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0')]
      : []),
    ...(typeof transitions === 'number' && transitions < 0
      ? [invalid('spec.leaseTransitions', transitions, 'must be greater than or equal to 0')]
      : []),
  ];
}

/** The role of a binding is fixed. */
export function bindingCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const role = member(object, 'roleRef');
  if (!isObject(role) || old === undefined || equal(role, member(old, 'roleRef'))) return [];
  const printed = { APIGroup: textAt(role, 'apiGroup'), Kind: textAt(role, 'kind'), Name: textAt(role, 'name') };
  return [invalid('roleRef', printed, 'cannot change roleRef')];
}

/** A priority never changes. */
export const priorityClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] =>
  old === undefined || equal(member(object, 'value'), member(old, 'value'))
    ? []
    : [forbidden('value', 'may not be changed in an update.')];

/** Most of a storage class is fixed. */
export const storageClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] =>
  old === undefined
    ? []
    : ['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
        immutable(key, member(old, key), member(object, key)),
      );
