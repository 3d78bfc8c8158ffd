import { byText, byTextOf } from '@nodewright/apis';
import { validateDnsLabel, validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, duplicateCause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isEqualJson, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  membersOf,
  validateChoice,
  validateImmutable,
  validateNamed,
  validatePresence,
  validateRequiredName,
} from './checks.ts';
import { containerAmountNameCauses } from './container-resources.ts';
import { amountCauses } from './quota.ts';
import { tolerationCauses } from './tolerations.ts';
import { tokenLifetimeCauses } from './token-duration.ts';
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
    ...(jsonTextAt(object, 'preemptionPolicy') === ''
      ? [requiredCause('preemptionPolicy')]
      : validateChoice('preemptionPolicy', object['preemptionPolicy'], ['PreemptLowerPriority', 'Never'])),
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
    ...storageClassPartCauses(object),
  ];
}

/** What is checked of a new class and of a changed one. */
const storageClassPartCauses = (object: JsonObject): Cause[] => [
  ...validateChoice('reclaimPolicy', object['reclaimPolicy'] || 'Delete', ['Delete', 'Retain']),
  ...validateChoice('volumeBindingMode', object['volumeBindingMode'], ['Immediate', 'WaitForFirstConsumer']),
  ...topologyTermCauses(object),
];

/** A term that says the same as an earlier one is told once for each of them; an empty one for each term. */
function topologyTermCauses(object: JsonObject): Cause[] {
  const terms = jsonObjectsIn(object['allowedTopologies']);
  const texts = terms.map(topologyTermText);
  const emptyTerm = topologyTermText({});
  return terms.flatMap((term, index) => {
    const field = `allowedTopologies[${index}]`;
    const text = texts[index] ?? '';
    const count = texts.slice(0, index).filter((other) => other === text).length;
    const repetitions = text === emptyTerm ? terms.length + count : count;
    return [
      ...topologyExpressionCauses(term, field),
      ...Array.from({ length: repetitions }, () => duplicateCause(`${field}.matchLabelExpressions`, '')),
    ];
  });
}

const topologyTermText = (term: JsonObject): string => {
  const values = jsonObjectsIn(term['matchLabelExpressions']).map(
    (requirement) => [jsonTextAt(requirement, 'key'), jsonTextsIn(requirement['values']).toSorted(byText)] as const,
  );
  return JSON.stringify([...new Map(values)].toSorted(byTextOf(([key]) => key)));
};

function topologyExpressionCauses(term: JsonObject, outer: string): Cause[] {
  const keys = new Set<string>();
  return checkEachItem(term, 'matchLabelExpressions', outer, (requirement, field) => {
    const [key, values] = [jsonTextAt(requirement, 'key'), jsonTextsIn(requirement['values'])];
    const isRepeated = keys.has(key);
    keys.add(key);
    return [
      ...(values.length === 0 ? [requiredCause(`${field}.values`)] : []),
      ...values.flatMap((value, nth) =>
        values.indexOf(value) < nth ? [duplicateCause(`${field}.values[${nth}]`, value)] : [],
      ),
      ...validateNamed(`${field}.key`, key, validateQualifiedName),
      ...(isRepeated ? [duplicateCause(`${field}.key`, key)] : []),
    ];
  });
}

const storageUpdateCauses = (object: JsonObject, old: JsonObject): Cause[] => [
  ...validatePresence('provisioner', object['provisioner']),
  ...storageClassPartCauses(object),
  ...['parameters', 'provisioner', 'reclaimPolicy', 'volumeBindingMode'].flatMap((key) =>
    validateImmutable(key, memberOf(old, key), memberOf(object, key)),
  ),
];

/** The problems of a RuntimeClass. Its handler is immutable. */
export function runtimeClassCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  return [
    ...(old === undefined ? [] : validateImmutable('handler', old['handler'], object['handler'])),
    ...validateRequiredName('handler', object, validateDnsLabel),
    ...membersOf(memberOf(object['overhead'], 'podFixed')).flatMap(([name, amount]) => [
      ...containerAmountNameCauses(`overhead.limits[${name}]`, name),
      ...amountCauses({ field: `overhead.limits[${name}]`, name, amount }),
    ]),
    ...checkMember(object, 'scheduling', '', (scheduling, field) => [
      ...labelCauses(scheduling['nodeSelector'], `${field}.nodeSelector`),
      ...checkEachItem(scheduling, 'tolerations', field, tolerationCauses),
      ...repeatedItemCauses(scheduling['tolerations'], `${field}.tolerations`),
    ]),
  ];
}

const repeatedItemCauses = (list: JsonValue | undefined, field: string): Cause[] => {
  const items = jsonObjectsIn(list);
  return items.flatMap((item, index) =>
    items.slice(0, index).some((other) => isEqualJson(other, item)) ? [duplicateCause(`${field}[${index}]`, item)] : [],
  );
};

const leastUpdateSeconds = 10;
const fsGroupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];

/** The problems of a CSIDriver. */
export function storageDriverCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const [requests, period] = [memberOf(spec, 'tokenRequests'), memberOf(spec, 'nodeAllocatableUpdatePeriodSeconds')];
  const audiences = jsonObjectsIn(requests).map((request) => jsonTextAt(request, 'audience'));
  return [
    ...audiences.flatMap((audience, index) =>
      audiences.indexOf(audience) < index ? [duplicateCause(`spec.tokenRequests[${index}].audience`, audience)] : [],
    ),
    ...jsonObjectsIn(requests).flatMap(({ expirationSeconds: seconds }, index) =>
      tokenLifetimeCauses(`spec.tokenRequests[${index}].expirationSeconds`, seconds),
    ),
    ...jsonTextsIn(memberOf(spec, 'volumeLifecycleModes')).flatMap((mode) =>
      validateChoice('spec.volumeLifecycleModes', mode, ['Persistent', 'Ephemeral']),
    ),
    ...(typeof period === 'number' && period < leastUpdateSeconds
      ? [
          invalidCause(
            'spec.nodeAllocatableUpdatePeriodSeconds',
            period,
            `must be greater than or equal to ${leastUpdateSeconds} seconds`,
          ),
        ]
      : []),
    ...(memberOf(spec, 'serviceAccountTokenInSecrets') !== undefined && audiences.length === 0
      ? [
          invalidCause(
            'spec.serviceAccountTokenInSecrets',
            memberOf(spec, 'serviceAccountTokenInSecrets') ?? null,
            'serviceAccountTokenInSecrets is set but no tokenRequests are specified',
          ),
        ]
      : []),
    ...validateChoice('spec.fsGroupPolicy', memberOf(spec, 'fsGroupPolicy'), fsGroupPolicies),
    ...(old === undefined
      ? []
      : [
          ['attachRequired', 'attachedRequired'],
          ['volumeLifecycleModes', 'volumeLifecycleModes'],
        ].flatMap(([key = '', printed]) =>
          validateImmutable(`spec.${printed}`, memberOf(memberOf(old, 'spec'), key), memberOf(spec, key)),
        )),
  ];
}
