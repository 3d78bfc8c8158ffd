import { validateDnsLabel, validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import { checkEachItem, checkMember, membersOf, validateChoice, validateImmutable, validateNamed } from './checks.ts';
import { amountCauses } from './quota.ts';
import { tolerationCauses } from './tolerations.ts';
import { labelCauses } from '../../schema/metadata/check-metadata.ts';

const mostPriority = 1_000_000_000;

/** The priorities that belong to the cluster itself. */
const systemPriorities: ReadonlyMap<string, number> = new Map([
  ['system-node-critical', 2_000_001_000],
  ['system-cluster-critical', 2_000_000_000],
]);

/** The problems of a PriorityClass. A priority never changes. */
export function priorityClassCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  return old === undefined
    ? newPriorityCauses(object)
    : [
        ...(isEqualJson(object['value'] ?? 0, old['value'] ?? 0)
          ? []
          : [forbiddenCause('value', 'may not be changed in an update.')]),
        ...validateImmutable('preemptionPolicy', old['preemptionPolicy'], object['preemptionPolicy']),
      ];
}

function newPriorityCauses(object: JsonObject): Cause[] {
  const name = jsonTextAt(object, 'metadata', 'name');
  const { value = 0 } = object;
  const isSystem = name.startsWith('system-');
  return [
    ...(isSystem && systemPriorities.get(name) !== value ? [systemNameCause(name)] : []),
    ...(!isSystem && typeof value === 'number' && value > mostPriority
      ? [forbiddenCause('value', `maximum allowed value of a user defined priority is ${mostPriority}`)]
      : []),
    ...validateChoice('preemptionPolicy', object['preemptionPolicy'], ['PreemptLowerPriority', 'Never']),
  ];
}

function systemNameCause(name: string): Cause {
  const error = systemPriorities.has(name)
    ? `value of ${name} PriorityClass must be ${systemPriorities.get(name)}`
    : `${name} is not a known system priority class`;
  return forbiddenCause(
    'metadata.name',
    `priority class names with 'system-' prefix are reserved for system use only. error: ${error}`,
  );
}

/** The problems of a StorageClass. Most of its fields are immutable. */
export const storageClassCauses = (object: JsonObject, old: JsonObject | undefined): Cause[] =>
  old === undefined ? newStorageClassCauses(object) : storageUpdateCauses(object, old);

function newStorageClassCauses(object: JsonObject): Cause[] {
  const provisioner = jsonTextAt(object, 'provisioner');
  return [
    ...(provisioner === ''
      ? [requiredCause('provisioner')]
      : validateQualifiedName(provisioner.toLowerCase()).map((text) => invalidCause('provisioner', provisioner, text))),
    ...membersOf(object['parameters'])
      .filter(([key]) => key === '')
      .map(() => invalidCause('parameters', '', 'field must not be empty')),
    ...validateChoice('reclaimPolicy', object['reclaimPolicy'], ['Delete', 'Retain']),
    ...validateChoice('volumeBindingMode', object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']),
    ...checkEachItem(object, 'allowedTopologies', '', (term, field) =>
      checkEachItem(term, 'matchLabelExpressions', field, (requirement, place) => [
        ...(Array.isArray(requirement['values']) && requirement['values'].length > 0
          ? []
          : [requiredCause(`${place}.values`)]),
        ...validateNamed(`${place}.key`, jsonTextAt(requirement, 'key'), validateQualifiedName),
      ]),
    ),
  ];
}

const storageUpdateCauses = (object: JsonObject, old: JsonObject): Cause[] => [
  ...['parameters', 'provisioner', 'reclaimPolicy']
    .filter((key) => !isEqualJson(memberOf(old, key), memberOf(object, key)))
    .map((key) => forbiddenCause(key, `updates to ${key} are forbidden.`)),
  ...validateImmutable('volumeBindingMode', old['volumeBindingMode'], object['volumeBindingMode']),
];

/** The problems of a RuntimeClass. Its handler is immutable. */
export function runtimeClassCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  if (old !== undefined) return validateImmutable('handler', old['handler'], object['handler']);
  return [
    ...validateNamed('handler', jsonTextAt(object, 'handler'), validateDnsLabel),
    ...membersOf(memberOf(object['overhead'], 'podFixed')).flatMap(([name, amount]) =>
      amountCauses({ field: `overhead.podFixed[${name}]`, name, amount }),
    ),
    ...checkMember(object, 'scheduling', '', (scheduling, field) => [
      ...labelCauses(scheduling['nodeSelector'], `${field}.nodeSelector`),
      ...checkEachItem(scheduling, 'tolerations', field, tolerationCauses),
    ]),
  ];
}

const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];

/** The problems of a CSIDriver. */
export function storageDriverCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  return [
    ...validateChoice('spec.fsGroupPolicy', memberOf(spec, 'fsGroupPolicy'), fsGroupPolicies),
    ...(old === undefined
      ? []
      : ['attachRequired', 'volumeLifecycleModes'].flatMap((key) =>
          validateImmutable(`spec.${key}`, memberOf(memberOf(old, 'spec'), key), memberOf(spec, key)),
        )),
  ];
}
