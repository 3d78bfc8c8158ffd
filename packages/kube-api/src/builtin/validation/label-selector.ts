import { labelCauses } from '../../schema/metadata/check-metadata.ts';
import { validateLabelValue, validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, forbiddenCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonValue, type JsonObject, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  checkEachItem,
  checkEachText,
  hasMembers,
  jsonObjectsIn,
  lengthOfList,
  jsonTextsIn,
  validateNamed,
} from './checks.ts';

/** The problems of a label selector. An absent selector has none. */
export const labelSelectorCauses = (selector: JsonValue | undefined, field: string): Cause[] => [
  ...labelCauses(memberOf(selector, 'matchLabels'), `${field}.matchLabels`),
  ...checkEachItem(selector, 'matchExpressions', field, requirementCauses),
];

function requirementCauses(requirement: JsonObject, field: string): Cause[] {
  return [
    ...operatorCauses(requirement, field),
    ...validateNamed(`${field}.key`, jsonTextAt(requirement, 'key'), validateQualifiedName),
    ...checkEachText(requirement['values'], `${field}.values`, (value, place) =>
      validateNamed(place, value, validateLabelValue),
    ),
  ];
}

function operatorCauses(requirement: JsonObject, field: string): Cause[] {
  const { operator = '' } = requirement;
  const count = lengthOfList(requirement['values']);
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? []
        : [requiredCause(`${field}.values`, "must be specified when `operator` is 'In' or 'NotIn'")];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? []
        : [forbiddenCause(`${field}.values`, "may not be specified when `operator` is 'Exists' or 'DoesNotExist'")];
    default:
      return [invalidCause(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

export const hasNoTerms = (selector: JsonValue | undefined): boolean =>
  !hasMembers(memberOf(selector, 'matchLabels')) && lengthOfList(memberOf(selector, 'matchExpressions')) === 0;

/** Whether a label selector selects an object with these labels. */
export const selectsLabels = (selector: JsonObject, labels: JsonValue): boolean =>
  Object.entries(isObject(selector['matchLabels']) ? selector['matchLabels'] : {}).every(
    ([key, value]) => memberOf(labels, key) === value,
  ) && jsonObjectsIn(selector['matchExpressions']).every((requirement) => meets(requirement, labels));

function meets(requirement: JsonObject, labels: JsonValue): boolean {
  const value = memberOf(labels, jsonTextAt(requirement, 'key'));
  const isListed = typeof value === 'string' && jsonTextsIn(requirement['values']).includes(value);
  switch (requirement['operator']) {
    case 'In':
      return isListed;
    case 'NotIn':
      return !isListed;
    case 'Exists':
      return value !== undefined;
    default:
      return value === undefined;
  }
}
