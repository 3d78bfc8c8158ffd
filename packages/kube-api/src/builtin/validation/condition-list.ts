import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, duplicateCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt } from '../../schema/json.ts';
import { checkEachItem, validateChoice, validateNamed } from './checks.ts';

const longestParts = { reason: 1024, message: 32_768 };
const reasonPattern = /^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$/;
const reasonProblem =
  "a condition reason must start with alphabetic character, optionally followed by a string of alphanumeric characters or '_,:', and must end with an alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is '[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')";

/** The problems of conditions of the common type. */
export function conditionListCauses(status: JsonValue | undefined, field: string): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(status, 'conditions', field, (condition, at) => {
    const type = jsonTextAt(condition, 'type');
    const isRepeated = seen.has(type);
    seen.add(type);
    return [...(isRepeated ? [duplicateCause(`${at}.type`, type)] : []), ...commonConditionCauses(condition, at)];
  });
}

function commonConditionCauses(condition: JsonObject, field: string): Cause[] {
  const [type, status, reason] = ['type', 'status', 'reason'].map((key) => jsonTextAt(condition, key));
  const { observedGeneration = 0 } = condition;
  const long = (key: 'reason' | 'message'): Cause[] =>
    jsonTextAt(condition, key).length > longestParts[key]
      ? [
          {
            reason: 'FieldValueTooLong' as const,
            message: `Too long: may not be more than ${longestParts[key]} bytes`,
            field: `${field}.${key}`,
          },
        ]
      : [];
  return [
    ...validateNamed(`${field}.type`, type ?? '', validateQualifiedName),
    ...validateChoice(`${field}.status`, status ?? '', ['False', 'True', 'Unknown']),
    ...(typeof observedGeneration === 'number' && observedGeneration < 0
      ? [invalidCause(`${field}.observedGeneration`, observedGeneration, 'must be greater than or equal to zero')]
      : []),
    ...(jsonTextAt(condition, 'lastTransitionTime') === ''
      ? [requiredCause(`${field}.lastTransitionTime`, 'must be set')]
      : []),
    ...(reason === ''
      ? [requiredCause(`${field}.reason`, 'must be set')]
      : reasonPattern.test(reason ?? '')
        ? long('reason')
        : [invalidCause(`${field}.reason`, reason ?? '', reasonProblem), ...long('reason')]),
    ...long('message'),
  ];
}
