import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, memberOf, valueAtPath } from '../../schema/json.ts';
import { amountText, membersOf, amountNanos, jsonTextsIn } from './checks.ts';

/** The problems of a ResourceQuota. Its scopes are immutable. */
export function resourceQuotaCauses(object: JsonObject, old: JsonObject | undefined): Cause[] {
  const spec = memberOf(object, 'spec');
  const scopes = jsonTextsIn(memberOf(spec, 'scopes'));
  return [
    ...quotaListCauses(memberOf(spec, 'hard'), 'spec.hard'),
    ...scopeCauses(scopes, memberOf(spec, 'hard')),
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

/** Only pods are counted in the scope `BestEffort`; they have no requests. */
const bestEffortNames = new Set(['pods']);

function scopeCauses(scopes: readonly string[], hard: JsonValue | undefined): Cause[] {
  const refused = (because: string): Cause => invalidCause('spec.scopes', [...scopes], because);
  const conflicts = [
    ['BestEffort', 'NotBestEffort'],
    ['Terminating', 'NotTerminating'],
  ].filter((pair) => pair.every((scope) => scopes.includes(scope)));
  return [
    ...scopes.filter((scope) => !knownScopes.has(scope)).map(() => refused('unsupported scope')),
    ...(scopes.includes('BestEffort')
      ? membersOf(hard)
          .filter(([name]) => quotaNames.has(name) && !bestEffortNames.has(name))
          .map(() => refused('unsupported scope applied to resource'))
      : []),
    ...(scopes.includes('VolumeAttributesClass')
      ? membersOf(hard)
          .filter(([name]) => quotaNames.has(name) && !/storage|persistentvolumeclaims/.test(name))
          .map(() => refused('unsupported scope applied to resource'))
      : []),
    ...conflicts.map(() => refused('conflicting scopes')),
  ];
}
