import { validateLabelValue, validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, notSupportedCause } from '../../schema/cause.ts';
import { type JsonObject, jsonTextAt } from '../../schema/json.ts';
import { validateChoice, validateNamed } from './checks.ts';

const effects = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'];

/** What a refusal names. Comparisons are off by default. */
const tolerationOperators = ['Equal', 'Exists', 'Lt', 'Gt'];

/** The problems of a toleration. */
export function tolerationCauses(toleration: JsonObject, field: string): Cause[] {
  const { operator = '', key = '', value = '', effect = '' } = toleration;
  return [
    ...(key === '' ? [] : validateNamed(`${field}.key`, jsonTextAt(toleration, 'key'), validateQualifiedName)),
    ...(key === '' && operator !== 'Exists'
      ? [
          invalidCause(
            `${field}.operator`,
            operator,
            'operator must be Exists when `key` is empty, which means "match all values and all keys"',
          ),
        ]
      : []),
    ...(toleration['tolerationSeconds'] !== undefined && effect !== 'NoExecute'
      ? [invalidCause(`${field}.effect`, effect, "effect must be 'NoExecute' when `tolerationSeconds` is set")]
      : []),
    ...((operator === 'Equal' || operator === '') && typeof value === 'string'
      ? validateLabelValue(value).map((problem) => invalidCause(`${field}.operator`, value, problem))
      : []),
    ...(operator === 'Exists' && value !== ''
      ? [invalidCause(`${field}.operator`, toleration, "value must be empty when `operator` is 'Exists'")]
      : []),
    ...(['', 'Equal', 'Exists'].includes(jsonTextAt(toleration, 'operator'))
      ? []
      : [notSupportedCause(`${field}.operator`, operator, tolerationOperators)]),
    ...(effect === '' ? [] : validateChoice(`${field}.effect`, effect, effects)),
  ];
}
