import { validateQualifiedName } from '../../schema/metadata/names.ts';
import {
  type Cause,
  duplicateCause,
  invalidCause,
  notSupportedCause,
  requiredCause,
  tooManyCause,
  unnamedInvalidCause,
} from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import {
  checkEachItem,
  checkMember,
  jsonObjectsIn,
  lengthOfList,
  validateNamed,
  validateNotNegative,
} from './checks.ts';
import { indexRangeProblem, readIndexRanges } from './index-ranges.ts';

const mostPolicyRules = 20;

/** The problems of what makes a job fail: the rules about ends of its pods. */
export const failurePolicyCauses = (spec: JsonValue | undefined, field: string): Cause[] =>
  checkMember(spec, 'podFailurePolicy', field, (policy, at) => [
    ...tooManyCauses(policy['rules'], `${at}.rules`, mostPolicyRules),
    ...checkEachItem(policy, 'rules', at, (rule, place) => [
      ...failureActionCauses(spec, jsonTextAt(rule, 'action'), `${place}.action`),
      ...checkMember(rule, 'onExitCodes', place, (codes, codesAt) => exitCodeCauses(spec, codes, codesAt)),
      ...conditionPatternCauses(rule, place),
      ...patternCountCauses(rule, place),
    ]),
  ]);

const tooManyCauses = (list: JsonValue | undefined, field: string, most: number): Cause[] =>
  lengthOfList(list) > most ? [tooManyCause(field, { seen: lengthOfList(list), most })] : [];

const failureActions = ['Count', 'FailIndex', 'FailJob', 'Ignore'];

function failureActionCauses(spec: JsonValue | undefined, action: string, field: string): Cause[] {
  if (action === '') return [requiredChoice(field, failureActions)];
  if (action === 'FailIndex' && memberOf(spec, 'backoffLimitPerIndex') === undefined)
    return [invalidCause(field, action, 'requires the backoffLimitPerIndex to be set')];
  return failureActions.includes(action) ? [] : [notSupportedCause(field, action, failureActions)];
}

const requiredChoice = (field: string, choices: readonly string[]): Cause =>
  requiredCause(field, `valid values: [${choices.map((choice) => JSON.stringify(choice)).join(' ')}]`);

const givenChoiceCauses = (value: string, field: string, choices: readonly string[]): Cause[] => {
  if (value === '') return [requiredChoice(field, choices)];
  return choices.includes(value) ? [] : [notSupportedCause(field, value, choices)];
};

const mostExitCodes = 255;

function exitCodeCauses(spec: JsonValue | undefined, codes: JsonObject, field: string): Cause[] {
  const operator = jsonTextAt(codes, 'operator');
  const container = memberOf(codes, 'containerName');
  const values = Array.isArray(codes['values']) ? codes['values'] : [];
  const valuesAt = `${field}.values`;
  return [
    ...givenChoiceCauses(operator, `${field}.operator`, ['In', 'NotIn']),
    ...(typeof container === 'string' && !namesOfContainers(spec).includes(container)
      ? [
          invalidCause(
            `${field}.containerName`,
            container,
            'must be one of the container or initContainer names in the pod template',
          ),
        ]
      : []),
    ...(values.length === 0 ? [invalidCause(valuesAt, [], 'at least one value is required')] : []),
    ...tooManyCauses(values, valuesAt, mostExitCodes),
    ...values.flatMap((value, index) => [
      ...(operator === 'In' && value === 0
        ? [invalidCause(`${valuesAt}[${index}]`, value, 'must not be 0 for the In operator')]
        : []),
      ...(values.indexOf(value) < index ? [duplicateCause(`${valuesAt}[${index}]`, value)] : []),
    ]),
    ...(values.some((value, index) => index > 0 && Number(values[index - 1]) > Number(value))
      ? [invalidCause(valuesAt, values, 'must be ordered')]
      : []),
  ];
}

const namesOfContainers = (spec: JsonValue | undefined): string[] =>
  ['containers', 'initContainers'].flatMap((list) =>
    jsonObjectsIn(valueAtPath(spec, 'template', 'spec', list)).map((container) => jsonTextAt(container, 'name')),
  );

const conditionPatternCauses = (rule: JsonObject, field: string): Cause[] => [
  ...tooManyCauses(rule['onPodConditions'], `${field}.onPodConditions`, mostPolicyRules),
  ...checkEachItem(rule, 'onPodConditions', field, (pattern, at) => [
    ...validateNamed(`${at}.type`, jsonTextAt(pattern, 'type'), validateQualifiedName),
    ...givenChoiceCauses(jsonTextAt(pattern, 'status'), `${at}.status`, ['False', 'True', 'Unknown']),
  ]),
];

function patternCountCauses(rule: JsonObject, field: string): Cause[] {
  const hasCodes = memberOf(rule, 'onExitCodes') !== undefined;
  const hasConditions = lengthOfList(rule['onPodConditions']) > 0;
  if (hasCodes !== hasConditions) return [];
  return [
    unnamedInvalidCause(
      field,
      hasCodes
        ? 'specifying both OnExitCodes and OnPodConditions is not supported'
        : 'specifying one of OnExitCodes and OnPodConditions is required',
    ),
  ];
}

/** The problems of what makes an indexed job succeed early. */
export const successPolicyCauses = (spec: JsonValue | undefined, field: string): Cause[] =>
  checkMember(spec, 'successPolicy', field, (policy, at) => {
    if (memberOf(spec, 'completionMode') !== 'Indexed')
      return [invalidCause(at, policy, 'requires indexed completion mode')];
    return [
      ...(lengthOfList(policy['rules']) === 0
        ? [requiredCause(`${at}.rules`, 'at least one rules must be specified when the successPolicy is specified')]
        : []),
      ...tooManyCauses(policy['rules'], `${at}.rules`, mostPolicyRules),
      ...checkEachItem(policy, 'rules', at, (rule, place) =>
        successRuleCauses(Number(memberOf(spec, 'completions') ?? 0), rule, place),
      ),
    ];
  });

function successRuleCauses(completions: number, rule: JsonObject, field: string): Cause[] {
  const indexes = memberOf(rule, 'succeededIndexes');
  const count = memberOf(rule, 'succeededCount');
  const problem = typeof indexes === 'string' ? indexRangeProblem(indexes, completions) : undefined;
  const named =
    typeof indexes === 'string' && problem === undefined
      ? readIndexRanges(indexes).reduce((sum, [from, to]) => sum + to - from + 1, 0)
      : 0;
  const tooHigh = (most: number, because: string): Cause[] =>
    typeof count === 'number' && count > most
      ? [invalidCause(`${field}.succeededCount`, count, `must be less than or equal to ${most} (${because})`)]
      : [];
  return [
    ...(indexes === undefined && count === undefined
      ? [requiredCause(field, 'at least one of succeededCount or succeededIndexes must be specified')]
      : []),
    ...(problem === undefined
      ? []
      : [invalidCause(`${field}.succeededIndexes`, indexes ?? '', `error parsing succeededIndexes: ${problem}`)]),
    ...validateNotNegative(`${field}.succeededCount`, count),
    ...tooHigh(completions, 'the number of specified completions'),
    ...(indexes === undefined ? [] : tooHigh(named, 'the number of indexes in the specified succeededIndexes field')),
  ];
}
