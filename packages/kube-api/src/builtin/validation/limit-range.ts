import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, duplicateCause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, jsonTextAt, memberOf, valueAtPath } from '../../schema/json.ts';
import { amountText, checkEachItem, forbidMembers, membersOf, amountNanos, validateNamed } from './checks.ts';

/** The problems of a LimitRange. */
export function limitRangeCauses(object: JsonObject): Cause[] {
  const types = new Set<JsonValue>();
  return checkEachItem(memberOf(object, 'spec'), 'limits', 'spec', (limit, field) => {
    const type = limit['type'] ?? '';
    const isRepeated = types.has(type);
    types.add(type);
    return [
      ...limitTypeCauses(jsonTextAt(limit, 'type'), `${field}.type`),
      ...(isRepeated ? [duplicateCause(`${field}.type`, type)] : []),
      ...['max', 'min', 'maxLimitRequestRatio'].flatMap((key) => amountListCauses(limit, key, field)),
      ...limitDefaultCauses(limit, field),
      ...claimLimitCauses(limit, field),
      ...comparisonCauses(limit, field),
    ];
  });
}

function limitTypeCauses(type: string, field: string): Cause[] {
  const problems = validateNamed(field, type, validateQualifiedName);
  if (problems.length > 0 || type.includes('/')) return problems;
  return ['Pod', 'Container', 'PersistentVolumeClaim'].includes(type)
    ? []
    : [invalidCause(field, type, 'must be a standard limit type or fully qualified')];
}

/** The amounts may be anything, even less than nothing. */
const amountListCauses = (limit: JsonObject, key: string, field: string): Cause[] =>
  membersOf(memberOf(limit, key)).flatMap(([name]) =>
    limitedNameCauses(`${field}.${key}[${name}]`, name, limit['type'] === 'Container'),
  );

function limitedNameCauses(field: string, name: string, isOfContainer: boolean): Cause[] {
  const problems = validateNamed(field, name, validateQualifiedName);
  if (problems.length > 0 || name.includes('/')) return problems;
  return [
    ...(isStandardName(name) ? [] : [invalidCause(field, name, 'must be a standard resource type or fully qualified')]),
    ...(isOfContainer && !isContainerName(name)
      ? [invalidCause(field, name, 'must be a standard resource for containers')]
      : []),
  ];
}

const isContainerName = (name: string): boolean =>
  ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');

const isStandardName = (name: string): boolean =>
  isContainerName(name) ||
  /^(requests|limits)\.(cpu|memory|storage|ephemeral-storage|hugepages-.*)$/.test(name) ||
  standardNames.has(name);

const standardNames = new Set([
  'pods',
  'resourcequotas',
  'services',
  'replicationcontrollers',
  'secrets',
  'persistentvolumeclaims',
  'configmaps',
  'storage',
  'services.nodeports',
  'services.loadbalancers',
]);

function limitDefaultCauses(limit: JsonObject, field: string): Cause[] {
  const lists = ['default', 'defaultRequest'];
  return limit['type'] === 'Pod'
    ? forbidMembers(limit, field, lists, "may not be specified when `type` is 'Pod'")
    : lists.flatMap((key) => amountListCauses(limit, key, field));
}

function claimLimitCauses(limit: JsonObject, field: string): Cause[] {
  if (limit['type'] !== 'PersistentVolumeClaim') return [];
  return ['min', 'max'].some((key) => valueAtPath(limit, key, 'storage') !== undefined)
    ? []
    : [requiredCause(field, 'either minimum or maximum storage value is required, but neither was provided')];
}

type LimitAmounts = {
  readonly name: string;
  readonly amount: (list: string) => JsonValue | undefined;
  readonly field: string;
};

function comparisonCauses(limit: JsonObject, field: string): Cause[] {
  const lists = ['max', 'min', 'default', 'defaultRequest', 'maxLimitRequestRatio'];
  const names = [...new Set(lists.flatMap((key) => membersOf(memberOf(limit, key)).map(([name]) => name)))];
  return names.toSorted().flatMap((name) => {
    const amounts = { name, field, amount: (list: string) => valueAtPath(limit, list, name) };
    return [...orderCauses(amounts), ...ratioCauses(amounts), ...overcommitCauses(amounts)];
  });
}

/** Which list must not have more of a resource than which other list, and how a real server calls them. */
const orders: readonly (readonly [less: string, lessText: string, more: string, moreText: string, at: string])[] = [
  ['min', 'min value', 'max', 'max value', 'min'],
  ['min', 'min value', 'defaultRequest', 'default request value', 'defaultRequest'],
  ['defaultRequest', 'default request value', 'max', 'max value', 'defaultRequest'],
  ['defaultRequest', 'default request value', 'default', 'default limit value', 'defaultRequest'],
  ['min', 'min value', 'default', 'default value', 'default'],
  ['default', 'default value', 'max', 'max value', 'default'],
];

const orderCauses = ({ name, amount, field }: LimitAmounts): Cause[] =>
  orders.flatMap(([less, lessText, more, moreText, at]) => {
    const [small, large, shown] = [amount(less), amount(more), amount(at)];
    if (small === undefined || large === undefined || shown === undefined || !isMore(small, large)) return [];
    const detail = `${lessText} ${amountText(small)} is greater than ${moreText} ${amountText(large)}`;
    return [invalidCause(`${field}.${at}[${name}]`, amountText(shown), detail)];
  });

const isMore = (a: JsonValue, b: JsonValue): boolean => (amountNanos(a) ?? 0n) > (amountNanos(b) ?? 0n);

function ratioCauses({ name, amount, field }: LimitAmounts): Cause[] {
  const ratio = amount('maxLimitRequestRatio');
  if (ratio === undefined || !isMore('1', ratio)) return [];
  return [
    invalidCause(
      `${field}.maxLimitRequestRatio[${name}]`,
      amountText(ratio),
      `ratio ${amountText(ratio)} is less than 1`,
    ),
  ];
}

/** Extended resources cannot be promised twice: their default limit is their default request. */
function overcommitCauses({ name, amount, field }: LimitAmounts): Cause[] {
  const [limit, request] = [amount('default'), amount('defaultRequest')];
  if (
    !name.includes('/') ||
    limit === undefined ||
    request === undefined ||
    amountNanos(limit) === amountNanos(request)
  )
    return [];
  const detail = `default value ${amountText(limit)} must equal to defaultRequest value ${amountText(request)} in ${name}`;
  return [invalidCause(`${field}.default[${name}]`, amountText(limit), detail)];
}
