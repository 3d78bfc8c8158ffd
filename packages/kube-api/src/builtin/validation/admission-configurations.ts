import { type Cause, duplicateCause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, jsonTextAt, memberOf } from '../../schema/json.ts';
import {
  validateLetterLabel,
  validatePathSegment,
  validateQualifiedName,
  validateSubdomain,
} from '../../schema/metadata/names.ts';
import { namedExpressionCauses } from './policy-expressions.ts';
import {
  checkEachItem,
  checkEachText,
  checkMember,
  jsonObjectsIn,
  jsonTextsIn,
  lengthOfList,
  validateChoice,
  validateNamed,
} from './checks.ts';
import { conditionListCauses } from './condition-list.ts';
import { labelSelectorCauses } from './label-selector.ts';
import { acceptedReviewVersions, reviewVersionCauses, webhookClientCauses } from './webhook-client.ts';

/** The problems of a configuration of webhooks. */
export function webhookConfigurationCauses(object: JsonObject): Cause[] {
  const isMutating = object['kind'] === 'MutatingWebhookConfiguration';
  return [
    ...checkEachItem(object, 'webhooks', '', (webhook, field) => [
      ...webhookCauses(webhook, field),
      ...(isMutating
        ? validateChoice(`${field}.reinvocationPolicy`, webhook['reinvocationPolicy'], ['IfNeeded', 'Never'])
        : []),
    ]),
    ...repeatedNames(object),
  ];
}

function repeatedNames(object: JsonObject): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(object, 'webhooks', '', (webhook, field) => {
    const name = jsonTextAt(webhook, 'name');
    const isRepeated = seen.has(name);
    seen.add(name);
    return isRepeated ? [duplicateCause(`${field}.name`, name)] : [];
  });
}

const failurePolicies = ['Fail', 'Ignore'];
const matchPolicies = ['Equivalent', 'Exact'];
const harmlessEffects = ['None', 'NoneOnDryRun'];

const webhookCauses = (webhook: JsonObject, field: string): Cause[] => [
  ...fullNameCauses(`${field}.name`, jsonTextAt(webhook, 'name')),
  ...checkEachItem(webhook, 'rules', field, ruleCauses),
  ...validateChoice(`${field}.failurePolicy`, webhook['failurePolicy'], failurePolicies),
  ...validateChoice(`${field}.matchPolicy`, webhook['matchPolicy'], matchPolicies),
  ...((webhook['sideEffects'] ?? null) === null
    ? [requiredCause(`${field}.sideEffects`, `must specify one of ${harmlessEffects.join(', ')}`)]
    : validateChoice(`${field}.sideEffects`, webhook['sideEffects'], harmlessEffects)),
  ...timeoutCauses(`${field}.timeoutSeconds`, webhook['timeoutSeconds']),
  ...labelSelectorCauses(webhook['namespaceSelector'], `${field}.namespaceSelector`),
  ...labelSelectorCauses(webhook['objectSelector'], `${field}.objectSelector`),
  ...webhookClientCauses(webhook['clientConfig'], `${field}.clientConfig`),
  ...conditionListOf(webhook, field),
  ...(lengthOfList(webhook['admissionReviewVersions']) === 0
    ? [requiredCause(`${field}.admissionReviewVersions`, `must specify one of ${acceptedReviewVersions.join(', ')}`)]
    : reviewVersionCauses(webhook['admissionReviewVersions'], `${field}.admissionReviewVersions`)),
];

function fullNameCauses(field: string, name: string): Cause[] {
  if (name === '') return [requiredCause(field)];
  const problems = validateNamed(field, name, validateSubdomain);
  if (problems.length > 0) return problems;
  return name.split('.').length < 3
    ? [invalidCause(field, name, 'should be a domain with at least three segments separated by dots')]
    : [];
}

const timeoutCauses = (field: string, seconds: JsonValue | undefined): Cause[] =>
  typeof seconds === 'number' && (seconds < 1 || seconds > 30)
    ? [invalidCause(field, seconds, 'the timeout value must be between 1 and 30 seconds')]
    : [];

/** The problems of what a policy or a binding is about. */
export const matchResourcesCauses = (match: JsonObject, field: string): Cause[] => [
  ...validateChoice(`${field}.matchPolicy`, match['matchPolicy'], matchPolicies),
  ...labelSelectorCauses(match['namespaceSelector'], `${field}.namespaceSelector`),
  ...labelSelectorCauses(match['objectSelector'], `${field}.objectSelector`),
  ...checkEachItem(match, 'resourceRules', field, namedRuleCauses),
  ...checkEachItem(match, 'excludeResourceRules', field, namedRuleCauses),
];

function namedRuleCauses(rule: JsonObject, field: string): Cause[] {
  const seen = new Set<string>();
  return [
    ...checkEachText(rule['resourceNames'], `${field}.resourceNames`, (name, place) => {
      const repeated = seen.has(name) ? [duplicateCause(place, name)] : [];
      seen.add(name);
      return [...validateNamed(place, name, validatePathSegment), ...repeated];
    }),
    ...ruleCauses(rule, field),
  ];
}

const ruleOperations = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];

/** A list that must not be empty, and in which `*` stands alone. */
function wildcardCauses(list: JsonValue | undefined, field: string, others: string): Cause[] {
  if (lengthOfList(list) === 0) return [requiredCause(field)];
  const texts = jsonTextsIn(list);
  return texts.length > 1 && texts.includes('*')
    ? [invalidCause(field, texts, `if '*' is present, must not specify other ${others}`)]
    : [];
}

const ruleCauses = (rule: JsonObject, field: string): Cause[] => [
  ...wildcardCauses(rule['operations'], `${field}.operations`, 'operations'),
  ...checkEachText(rule['operations'], `${field}.operations`, (operation, place) =>
    validateChoice(place, operation, ruleOperations),
  ),
  ...wildcardCauses(rule['apiGroups'], `${field}.apiGroups`, 'API groups'),
  ...wildcardCauses(rule['apiVersions'], `${field}.apiVersions`, 'API versions'),
  ...checkEachText(rule['apiVersions'], `${field}.apiVersions`, requiredText),
  ...resourcesCauses(rule['resources'], `${field}.resources`),
  ...validateChoice(`${field}.scope`, rule['scope'], ['*', 'Cluster', 'Namespaced']),
];

const requiredText = (text: string, place: string): Cause[] => (text === '' ? [requiredCause(place)] : []);

/** Resources may be named with a subresource, and either part may be `*`; what a wildcard covers is not named again. */
function resourcesCauses(list: JsonValue | undefined, field: string): Cause[] {
  if (lengthOfList(list) === 0) return [requiredCause(field)];
  const texts = jsonTextsIn(list);
  const [wholes, subresources] = [new Set<string>(), new Set<string>()];
  const problems = checkEachText(list, field, (text, place) => {
    if (text === '') return [requiredCause(place)];
    const cut = text.indexOf('/');
    if (cut === -1) return [];
    const [resource, subresource] = [text.slice(0, cut), text.slice(cut + 1)];
    const found = [
      ...(wholes.has(resource)
        ? [invalidCause(place, text, `if '${resource}/*' is present, must not specify ${text}`)]
        : []),
      ...(subresources.has(subresource)
        ? [invalidCause(place, text, `if '*/${subresource}' is present, must not specify ${text}`)]
        : []),
    ];
    if (subresource === '*') wholes.add(resource);
    if (resource === '*') subresources.add(subresource);
    return found;
  });
  const lastPlain = texts.findLast((text) => text !== '' && !text.includes('/'));
  return [
    ...problems,
    ...(texts.length > 1 && texts.includes('*/*')
      ? [invalidCause(field, texts, "if '*/*' is present, must not specify other resources")]
      : []),
    ...(texts.includes('*') && lastPlain !== undefined && lastPlain !== '*'
      ? [invalidCause(field, texts, "if '*' is present, must not specify other resources without subresources")]
      : []),
  ];
}

const conditionCauses = (condition: JsonObject, field: string): Cause[] => [
  ...namedExpressionCauses(condition, 'expression', field, 'bool'),
  ...(jsonTextAt(condition, 'expression').trim() === '' ? [requiredCause(`${field}.expression`)] : []),
  ...(jsonTextAt(condition, 'name') === ''
    ? [requiredCause(`${field}.name`)]
    : validateNamed(`${field}.name`, jsonTextAt(condition, 'name'), validateQualifiedName)),
];

function conditionListOf(object: JsonValue | undefined, outer: string): Cause[] {
  const seen = new Set<string>();
  return checkEachItem(object, 'matchConditions', outer, (condition, field) => {
    const name = jsonTextAt(condition, 'name');
    const isRepeated = name !== '' && seen.has(name);
    seen.add(name);
    return [...conditionCauses(condition, field), ...(isRepeated ? [duplicateCause(`${field}.name`, name)] : [])];
  });
}

function variableListCauses(spec: JsonValue | undefined): Cause[] {
  return checkEachItem(spec, 'variables', 'spec', (variable, field) => {
    const [name, expression] = [jsonTextAt(variable, 'name'), jsonTextAt(variable, 'expression')];
    return [
      ...(name.trim() === ''
        ? [requiredCause(`${field}.name`, 'name is not specified')]
        : /^[A-Za-z_]\w*$/.test(name) && !reservedWords.has(name)
          ? []
          : [invalidCause(`${field}.name`, name, 'must be a valid CEL identifier')]),
      ...(expression.trim() === ''
        ? [requiredCause(`${field}.expression`, 'expression is not specified')]
        : namedExpressionCauses(variable, 'expression', field, 'any')),
    ];
  });
}

const reservedWords: ReadonlySet<string> = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
);

const longestAnnotation = 5 * 1024;

/** What a policy writes into the audit log. */
function auditCauses(object: JsonObject): Cause[] {
  const policy = jsonTextAt(object, 'metadata', 'name');
  const seen = new Set<string>();
  return checkEachItem(object['spec'], 'auditAnnotations', 'spec', (annotation, field) => {
    const [key, expression] = [jsonTextAt(annotation, 'key'), jsonTextAt(annotation, 'valueExpression')];
    const isRepeated = seen.has(key);
    seen.add(key);
    const place = `${field}.valueExpression`;
    return [
      ...validateQualifiedName(`${policy}/${key}`).map((problem) =>
        invalidCause(`${field}.key`, `${policy}/${key}`, problem),
      ),
      ...(isRepeated ? [duplicateCause(`${field}.key`, key)] : []),
      ...(expression.trim() === ''
        ? [requiredCause(place, 'valueExpression is not specified')]
        : expression.length > longestAnnotation
          ? [requiredCause(place, `must not exceed ${longestAnnotation} bytes in length`)]
          : namedExpressionCauses(annotation, 'valueExpression', field, 'string')),
    ];
  });
}

/** The problems of an admission policy, apart from those of its expressions. */
export function admissionPolicyCauses(object: JsonObject): Cause[] {
  const spec = memberOf(object, 'spec');
  const constraints = memberOf(spec, 'matchConstraints');
  const isMutating = object['kind'] === 'MutatingAdmissionPolicy';
  return [
    ...validateChoice('spec.failurePolicy', memberOf(spec, 'failurePolicy'), failurePolicies),
    ...checkMember(spec, 'paramKind', 'spec', paramKindCauses),
    ...(isObject(constraints)
      ? [
          ...matchResourcesCauses(constraints, 'spec.matchConstraints'),
          ...(lengthOfList(constraints['resourceRules']) === 0
            ? [requiredCause('spec.matchConstraints.resourceRules')]
            : []),
        ]
      : [requiredCause('spec.matchConstraints')]),
    ...conditionListOf(spec, 'spec'),
    ...variableListCauses(spec),
    ...checkEachItem(spec, 'validations', 'spec', (validation, field) => [
      ...namedExpressionCauses(validation, 'expression', field, 'bool'),
      ...namedExpressionCauses(validation, 'messageExpression', field, 'string'),
      ...(jsonTextAt(validation, 'expression').trim() === ''
        ? [requiredCause(`${field}.expression`, 'expression is not specified')]
        : []),
      ...validateChoice(`${field}.reason`, validation['reason'], refusalReasons),
    ]),
    ...(isMutating ? mutationsCauses(spec) : [...auditCauses(object), ...judgementsCauses(spec)]),
  ];
}

/** The problems of the status of an admission policy. */
export const policyStatusCauses = ({ status }: JsonObject): Cause[] => [
  ...conditionListCauses(status, 'status'),
  ...checkEachItem(memberOf(status, 'typeChecking'), 'expressionWarnings', 'status.typeChecking', (warning, field) =>
    ['warning', 'fieldRef'].flatMap((key) =>
      jsonTextAt(warning, key) === '' ? [requiredCause(`${field}.${key}`)] : [],
    ),
  ),
];

const refusalReasons = ['Forbidden', 'Invalid', 'RequestEntityTooLarge'];

/** A mutation has the member of its type, and no other. */
function mutationMemberCauses(mutation: JsonObject, field: string): Cause[] {
  const members = [
    ['ApplyConfiguration', 'applyConfiguration'],
    ['JSONPatch', 'jsonPatch'],
  ] as const;
  const type = jsonTextAt(mutation, 'patchType');
  if (type === '') return [requiredCause(`${field}.patchType`)];
  return [
    ...validateChoice(
      `${field}.patchType`,
      type,
      members.map(([name]) => name),
    ),
    ...members.flatMap(([name, member]) => {
      const inner = mutation[member];
      const isGiven = isObject(mutation[member]);
      if (name === type)
        return isGiven && isObject(inner)
          ? namedExpressionCauses(
              inner,
              'expression',
              `${field}.${member}`,
              name === 'JSONPatch' ? '[]JSONPatch' : 'Object',
            )
          : [requiredCause(`${field}.${member}`, `must be specified when patchType is ${name}`)];
      return isGiven && members.some(([known]) => known === type)
        ? [invalidCause(`${field}.${member}`, `{${member}}`, `must not be specified when patchType is ${type}`)]
        : [];
    }),
  ];
}

const mutatedOperations = ['*', 'CONNECT', 'CREATE', 'UPDATE'];

/** What is deleted is not changed. */
export const mutatedOperationCauses = (spec: JsonValue | undefined, key: string): Cause[] =>
  jsonObjectsIn(memberOf(memberOf(spec, key), 'resourceRules')).flatMap((rule) =>
    jsonTextsIn(rule['operations'])
      .filter((operation) => !mutatedOperations.includes(operation))
      .map((operation) => notSupportedCause(`spec.${key}.resourceRules.operations`, operation, mutatedOperations)),
  );

const mutationsCauses = (spec: JsonValue | undefined): Cause[] => [
  ...checkEachItem(spec, 'mutations', 'spec', mutationMemberCauses),
  ...mutatedOperationCauses(spec, 'matchConstraints'),
  ...(lengthOfList(memberOf(spec, 'mutations')) === 0
    ? [requiredCause('spec.mutations', 'mutations must contain at least one item')]
    : []),
  ...(memberOf(spec, 'reinvocationPolicy') === undefined
    ? [requiredCause('spec.reinvocationPolicy')]
    : validateChoice('spec.reinvocationPolicy', memberOf(spec, 'reinvocationPolicy'), ['IfNeeded', 'Never'])),
];

const judgementsCauses = (spec: JsonValue | undefined): Cause[] => {
  const keys = ['validations', 'auditAnnotations'];
  return keys.every((key) => lengthOfList(memberOf(spec, key)) === 0)
    ? keys.map((key) => requiredCause(`spec.${key}`, 'validations or auditAnnotations must contain at least one item'))
    : [];
};

function paramKindCauses(type: JsonObject, field: string): Cause[] {
  const [apiVersion, kind] = [jsonTextAt(type, 'apiVersion'), jsonTextAt(type, 'kind')];
  const [version = '', group] = apiVersion.split('/').toReversed();
  const place = `${field}.apiVersion`;
  const named = validateLetterLabel(kind.toLowerCase()).map((problem) =>
    invalidCause(`${field}.kind`, kind, `may have mixed case, but should otherwise match: ${problem}`),
  );
  return [
    ...(apiVersion === ''
      ? [requiredCause(place)]
      : apiVersion.split('/').length > 2
        ? [invalidCause(place, apiVersion, `unexpected GroupVersion string: ${apiVersion}`)]
        : [
            ...(group === undefined || group === '' ? [] : validateNamed(place, group, validateSubdomain)),
            ...validateNamed(place, version, validateLetterLabel),
          ]),
    ...(kind === '' ? [requiredCause(`${field}.kind`)] : named),
  ];
}
