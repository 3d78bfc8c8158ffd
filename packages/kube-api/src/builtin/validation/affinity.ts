import { readOwn } from '@nodewright/apis';
import { labelCauses } from '../../schema/metadata/check-metadata.ts';
import { validateDnsLabel, validateLabelValue, validateQualifiedName } from '../../schema/metadata/names.ts';
import {
  type Cause,
  duplicateCause,
  forbiddenCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
} from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  lengthOfList,
  membersOf,
  validateNamed,
} from './checks.ts';
import { labelSelectorCauses } from './label-selector.ts';

/** The problems of the affinities of a pod, and of its node selector. */
export const affinityCauses = (spec: JsonObject, field: string): Cause[] => [
  ...labelCauses(spec['nodeSelector'], `${field}.nodeSelector`),
  ...checkMember(spec, 'affinity', field, (affinity, place) => [
    ...checkMember(affinity, 'nodeAffinity', place, nodeAffinityCauses),
    ...['podAffinity', 'podAntiAffinity'].flatMap((key) => checkMember(affinity, key, place, podAffinityCauses)),
  ]),
];

const required = 'requiredDuringSchedulingIgnoredDuringExecution';
const preferred = 'preferredDuringSchedulingIgnoredDuringExecution';

const nodeAffinityCauses = (affinity: JsonObject, field: string): Cause[] => [
  ...checkMember(affinity, required, field, nodeSelectorCauses),
  ...checkEachItem(affinity, preferred, field, (term, place) => [
    ...weightCauses(term['weight'], `${place}.weight`),
    ...checkMember(term, 'preference', place, (preference, inner) =>
      termCauses(preference, inner, { areValuesFree: true }),
    ),
  ]),
];

/** The problems of a node selector, which has terms. */
export function nodeSelectorCauses(selector: JsonObject, field: string): Cause[] {
  return lengthOfList(selector['nodeSelectorTerms']) === 0
    ? [requiredCause(`${field}.nodeSelectorTerms`, 'must have at least one node selector term')]
    : checkEachItem(selector, 'nodeSelectorTerms', field, (term, place) => termCauses(term, place));
}

/** Values of preferences are not held against the rules of labels. */
const termCauses = (term: JsonObject, field: string, { areValuesFree = false } = {}): Cause[] => [
  ...checkEachItem(term, 'matchExpressions', field, (requirement, place) => [
    ...nodeOperatorCauses(requirement, place),
    ...validateNamed(`${place}.key`, jsonTextAt(requirement, 'key'), validateQualifiedName),
    ...checkEachText(requirement['values'], `${place}.values`, (value, inner) =>
      areValuesFree ? [] : validateNamed(inner, value, validateLabelValue),
    ),
  ]),
  ...checkEachItem(term, 'matchFields', field, fieldRequirementCauses),
];

function nodeOperatorCauses(requirement: JsonObject, field: string): Cause[] {
  const { operator = '' } = requirement;
  const count = lengthOfList(requirement['values']);
  const values = `${field}.values`;
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0 ? [] : [requiredCause(values, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenCause(values, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    case 'Gt':
    case 'Lt':
      return count === 1
        ? []
        : [requiredCause(values, "must be specified single value when `operator` is 'Lt' or 'Gt'")];
    default:
      return [invalidCause(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

function fieldRequirementCauses(requirement: JsonObject, field: string): Cause[] {
  const { operator = '', key = '' } = requirement;
  return [
    ...(operator === 'In' || operator === 'NotIn'
      ? lengthOfList(requirement['values']) === 1
        ? []
        : [
            requiredCause(
              `${field}.values`,
              "must be only one value when `operator` is 'In' or 'NotIn' for node field selector",
            ),
          ]
      : [invalidCause(`${field}.operator`, operator, 'not a valid selector operator')]),
    ...(key === 'metadata.name' ? [] : [invalidCause(`${field}.key`, key, 'not a valid field selector key')]),
  ];
}

function weightCauses(weight: JsonValue | undefined, field: string): Cause[] {
  return typeof weight === 'number' && weight >= 1 && weight <= 100
    ? []
    : [invalidCause(field, weight ?? 0, 'must be in the range 1-100')];
}

const podAffinityCauses = (affinity: JsonObject, field: string): Cause[] => [
  ...checkEachItem(affinity, required, field, podTermCauses),
  ...checkEachItem(affinity, preferred, field, (term, place) => [
    ...weightCauses(term['weight'], `${place}.weight`),
    ...podTermCauses(objectOrNone(term['podAffinityTerm']), `${place}.podAffinityTerm`),
  ]),
];

const objectOrNone = (value: JsonValue | undefined): JsonObject => (isObject(value) ? value : {});

function podTermCauses(term: JsonObject, field: string): Cause[] {
  const key = jsonTextAt(term, 'topologyKey');
  return [
    ...labelSelectorCauses(memberOf(term, 'labelSelector'), `${field}.labelSelector`),
    ...labelSelectorCauses(memberOf(term, 'namespaceSelector'), `${field}.namespaceSelector`),
    ...checkEachText(term['namespaces'], `${field}.namespaces`, (name) =>
      validateNamed(`${field}.namespace`, name, validateDnsLabel),
    ),
    ...labelKeyCauses(term, 'matchLabelKeys', field),
    ...labelKeyCauses(term, 'mismatchLabelKeys', field),
    ...jsonTextsIn(term['matchLabelKeys']).flatMap((name, index) =>
      jsonTextsIn(term['mismatchLabelKeys']).includes(name)
        ? [
            invalidCause(
              `${field}.matchLabelKeys[${index}]`,
              name,
              'exists in both matchLabelKeys and mismatchLabelKeys',
            ),
          ]
        : [],
    ),
    ...(key === '' ? [requiredCause(`${field}.topologyKey`, 'can not be empty')] : []),
    ...validateNamed(`${field}.topologyKey`, key, validateQualifiedName),
  ];
}

/** Keys of labels whose values are those of the pod itself. They add to a selector. */
function labelKeyCauses(term: JsonObject, key: string, field: string): Cause[] {
  const keys = jsonTextsIn(readOwn(term, key));
  if (keys.length === 0) return [];
  if (!isObject(term['labelSelector']))
    return [forbiddenCause(`${field}.${key}`, 'must not be specified when labelSelector is not set')];
  return checkEachText(readOwn(term, key), `${field}.${key}`, (name, place) =>
    validateNamed(place, name, validateQualifiedName),
  );
}

/** Keys of labels by which pods are told apart, beside those of the selector. */
function spreadKeyCauses(constraint: JsonObject, field: string): Cause[] {
  const selector = constraint['labelSelector'];
  const selected = new Set([
    ...membersOf(memberOf(selector, 'matchLabels')).map(([name]) => name),
    ...jsonObjectsIn(memberOf(selector, 'matchExpressions')).map((requirement) => jsonTextAt(requirement, 'key')),
  ]);
  return [
    ...labelKeyCauses(constraint, 'matchLabelKeys', field),
    ...jsonTextsIn(constraint['matchLabelKeys']).flatMap((name, index) =>
      selected.has(name)
        ? [invalidCause(`${field}.matchLabelKeys[${index}]`, name, 'exists in both matchLabelKeys and labelSelector')]
        : [],
    ),
  ];
}

/** The problems of the rules by which pods are spread. */
export function spreadCauses(spec: JsonObject, field: string): Cause[] {
  const later = jsonObjectsIn(spec['topologySpreadConstraints']).map(spreadPair);
  return checkEachItem(spec, 'topologySpreadConstraints', field, (constraint, place) => {
    const pair = later.shift() ?? '';
    const { maxSkew = 0, minDomains } = constraint;
    const whenUnsatisfiable = jsonTextAt(constraint, 'whenUnsatisfiable');
    const key = jsonTextAt(constraint, 'topologyKey');
    return [
      ...(typeof maxSkew === 'number' && maxSkew <= 0
        ? [invalidCause(`${place}.maxSkew`, maxSkew, 'must be greater than zero')]
        : []),
      ...(key === '' ? [requiredCause(`${place}.topologyKey`, 'can not be empty')] : []),
      ...(whenUnsatisfiable === 'DoNotSchedule' || whenUnsatisfiable === 'ScheduleAnyway'
        ? []
        : [notSupportedCause(`${place}.whenUnsatisfiable`, whenUnsatisfiable, ['DoNotSchedule', 'ScheduleAnyway'])]),
      ...(later.includes(pair) ? [duplicateCause(`${place}.{topologyKey, whenUnsatisfiable}`, pair)] : []),
      ...minDomainsCauses(minDomains, whenUnsatisfiable, `${place}.minDomains`),
      ...['nodeAffinityPolicy', 'nodeTaintsPolicy'].flatMap((name) => spreadPolicyCauses(constraint, name, place)),
      ...spreadKeyCauses(constraint, place),
      ...labelSelectorCauses(constraint['labelSelector'], `${place}.labelSelector`),
    ];
  });
}

const spreadPair = (constraint: JsonObject): string =>
  `{${jsonTextAt(constraint, 'topologyKey')}, ${jsonTextAt(constraint, 'whenUnsatisfiable')}}`;

function minDomainsCauses(least: JsonValue | undefined, action: string, field: string): Cause[] {
  if (typeof least !== 'number') return [];
  return [
    ...(least <= 0 ? [invalidCause(field, least, 'must be greater than zero')] : []),
    ...(action === 'DoNotSchedule'
      ? []
      : [invalidCause(field, least, `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${action}`)]),
  ];
}

function spreadPolicyCauses(constraint: JsonObject, name: string, field: string): Cause[] {
  const policy = memberOf(constraint, name);
  return policy === undefined || policy === 'Ignore' || policy === 'Honor'
    ? []
    : [notSupportedCause(`${field}.${name}`, policy, ['Ignore', 'Honor'])];
}
