import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { amountText, membersOf, amountNanos, jsonObjectsIn, jsonTextsIn, lengthOfList } from './checks.ts';

/** The problems of a ResourceQuota. Its scopes are immutable. */
export function resourceQuotaCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const scopes = jsonTextsIn(memberOf(spec, 'scopes'));
  return [
    ...quotaListCauses(memberOf(spec, 'hard'), 'spec.hard'),
    ...scopeCauses(scopes, memberOf(spec, 'hard')),
    ...scopeSelectorCauses(spec),
    ...(old === undefined || sameTexts(scopes, jsonTextsIn(valueAtPath(old, 'spec', 'scopes')))
      ? []
      : [invalidCause('spec.scopes', scopes, 'field is immutable')]),
  ];
}

/** The problems of the status of a ResourceQuota. */
export const resourceQuotaStatusCauses = (object: JsonObject): Cause[] =>
  ['hard', 'used'].flatMap((key) => quotaListCauses(valueAtPath(object, 'status', key), `status.${key}`));

const sameTexts = (a: readonly string[], b: readonly string[]): boolean =>
  a.every((text) => b.includes(text)) && b.every((text) => a.includes(text));

const quotaListCauses = (list: JsonValue | undefined, field: string): Cause[] =>
  membersOf(list).flatMap(([name, amount]) => {
    const place = `${field}[${name}]`;
    return [...quotaNameCauses(name, place), ...amountCauses({ field: place, name, amount })];
  });

const quotaNames = new Set([
  'cpu',
  'memory',
  'ephemeral-storage',
  'requests.cpu',
  'requests.memory',
  'requests.storage',
  'requests.ephemeral-storage',
  'limits.cpu',
  'limits.memory',
  'limits.ephemeral-storage',
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'services.nodeports',
  'services.loadbalancers',
]);

function quotaNameCauses(name: string, field: string): Cause[] {
  const problems = validateQualifiedName(name);
  if (problems.length > 0) return problems.map((problem) => invalidCause(field, name, problem));
  return name.includes('/') ||
    quotaNames.has(name) ||
    name.startsWith('hugepages-') ||
    /^(requests|limits)\.hugepages-/.test(name)
    ? []
    : [invalidCause(field, name, 'must be a standard resource for quota')];
}

/** Resources that are counted and have no fractions. */
const countedNames = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'configmaps',
  'persistentvolumeclaims',
  'services.nodeports',
  'services.loadbalancers',
]);

const nanosOfOne = 1_000_000_000n;

const isWholeName = (name: string): boolean =>
  countedNames.has(name) || (name.includes('/') && !name.includes('.storageclass.storage.k8s.io/'));

/** The problems of the amount of a resource: it is not negative, and what is counted has no fractions. */
export function amountCauses({
  field,
  name,
  amount,
}: {
  readonly field: string;
  readonly name: string;
  readonly amount: JsonValue;
}): Cause[] {
  const nanos = amountNanos(amount);
  if (nanos === undefined) return [];
  return [
    ...(nanos < 0n ? [invalidCause(field, amountText(amount), 'must be greater than or equal to 0')] : []),
    ...(isWholeName(name) && nanos % nanosOfOne !== 0n
      ? [invalidCause(field, amountText(amount), 'must be an integer')]
      : []),
  ];
}

const knownScopes = new Set([
  'Terminating',
  'NotTerminating',
  'BestEffort',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
  'VolumeAttributesClass',
]);

/** Scopes that a selector can only ask to be there. */
const existingScopes = new Set([
  'BestEffort',
  'NotBestEffort',
  'Terminating',
  'NotTerminating',
  'CrossNamespacePodAffinity',
]);

/** The problems of a selector of scopes. */
function scopeSelectorCauses(spec: JsonValue | undefined): Cause[] {
  const field = 'spec.scopeSelector.matchExpressions';
  const selector = memberOf(spec, 'scopeSelector');
  const requirements = jsonObjectsIn(memberOf(selector, 'matchExpressions'));
  const scopes = requirements.map((requirement) => jsonTextAt(requirement, 'scopeName'));
  return [
    ...requirements.flatMap((requirement, index) => [
      ...(knownScopes.has(scopes[index] ?? '')
        ? []
        : [invalidCause(`${field}.scopeName`, scopes[index] ?? '', 'unsupported scope')]),
      ...unfitNames(scopes[index] ?? '', memberOf(spec, 'hard')).map(() =>
        invalidCause(field, selector ?? null, 'unsupported scope applied to resource'),
      ),
      ...scopeOperatorCauses(requirement, field),
    ]),
    ...conflictingScopes(scopes).map(() => invalidCause(field, memberOf(spec, 'scopes') ?? null, 'conflicting scopes')),
  ];
}

function scopeOperatorCauses(requirement: JsonObject, field: string): Cause[] {
  const [operator, scope] = [jsonTextAt(requirement, 'operator'), jsonTextAt(requirement, 'scopeName')];
  const count = lengthOfList(requirement['values']);
  const mustExist =
    existingScopes.has(scope) && operator !== 'Exists'
      ? [
          invalidCause(
            `${field}.operator`,
            operator,
            "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity",
          ),
        ]
      : [];
  switch (operator) {
    case 'In':
    case 'NotIn':
      return count > 0
        ? mustExist
        : [
            ...mustExist,
            requiredCause(
              `${field}.values`,
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case 'Exists':
    case 'DoesNotExist':
      return count === 0
        ? mustExist
        : [
            ...mustExist,
            invalidCause(
              `${field}.values`,
              requirement['values'] ?? null,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [...mustExist, invalidCause(`${field}.operator`, operator, 'not a valid selector operator')];
  }
}

/** Only pods are counted in the scope `BestEffort`; they have no requests. */
const bestEffortNames = new Set(['pods']);

function scopeCauses(scopes: readonly string[], hard: JsonValue | undefined): Cause[] {
  const refused = (because: string): Cause => invalidCause('spec.scopes', [...scopes], because);
  return [
    ...scopes.filter((scope) => !knownScopes.has(scope)).map(() => refused('unsupported scope')),
    ...scopes.flatMap((scope) => unfitNames(scope, hard)).map(() => refused('unsupported scope applied to resource')),
    ...conflictingScopes(scopes).map(() => refused('conflicting scopes')),
  ];
}

const conflictingScopes = (scopes: readonly string[]): readonly (readonly string[])[] =>
  [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => scopes.includes(scope)));

const scopesOfPods = new Set([
  'Terminating',
  'NotTerminating',
  'NotBestEffort',
  'PriorityClass',
  'CrossNamespacePodAffinity',
]);
const computedQuotaNames = new Set([
  'cpu',
  'memory',
  'pods',
  'requests.cpu',
  'requests.memory',
  'limits.cpu',
  'limits.memory',
]);

/** The standard resources that mean nothing in a scope. */
function unfitNames(scope: string, hard: JsonValue | undefined): readonly string[] {
  const isFit = (name: string): boolean => {
    if (scope === 'BestEffort') return bestEffortNames.has(name);
    if (scopesOfPods.has(scope)) return computedQuotaNames.has(name);
    return scope !== 'VolumeAttributesClass' || /^(requests\.storage|persistentvolumeclaims)$/.test(name);
  };
  return membersOf(hard)
    .map(([name]) => name)
    .filter((name) => quotaNames.has(name) && !isFit(name));
}
