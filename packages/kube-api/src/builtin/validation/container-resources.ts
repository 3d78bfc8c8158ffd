import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { type Cause, invalidCause, requiredCause } from '../../schema/cause.ts';
import { type JsonValue, type JsonObject, memberOf, valueAtPath } from '../../schema/json.ts';
import { amountText, membersOf, amountNanos } from './checks.ts';

/** The problems of the requests and limits of a container. */
export function resourceCauses(container: JsonObject, field: string): Cause[] {
  const requests = valueAtPath(container, 'resources', 'requests');
  const limits = valueAtPath(container, 'resources', 'limits');
  return [
    ...membersOf(limits).flatMap(([name, amount]) => containerAmountCauses(`${field}.limits`, name, amount)),
    ...membersOf(requests).flatMap(([name, amount]) => [
      ...containerAmountCauses(`${field}.requests`, name, amount),
      ...limitCauses({ field: `${field}.requests`, name, amount, limit: memberOf(limits, name) }),
    ]),
  ];
}

const containerResourceNames = new Set(['cpu', 'memory', 'ephemeral-storage']);

/** Resources outside of `kubernetes.io` are counted, and cannot be promised twice. */
export const isExtendedResource = (name: string): boolean =>
  name.includes('/') && !name.split('/')[0]?.endsWith('kubernetes.io') && !name.startsWith('requests.');

const isPromisedOnce = (name: string): boolean => isExtendedResource(name) || name.startsWith('hugepages-');

function containerAmountCauses(list: string, name: string, amount: JsonValue): Cause[] {
  const field = `${list}[${name}]`;
  const nanos = amountNanos(amount);
  return [
    ...resourceNameCauses(field, name),
    ...(nanos !== undefined && nanos < 0n
      ? [invalidCause(field, amountText(amount), 'must be greater than or equal to 0')]
      : []),
    ...(nanos !== undefined && isExtendedResource(name) && nanos % 1_000_000_000n !== 0n
      ? [invalidCause(field, amountText(amount), 'must be an integer')]
      : []),
  ];
}

/** The problems of the name of a resource of containers. */
export const containerAmountNameCauses = (field: string, name: string): Cause[] => resourceNameCauses(field, name);

function resourceNameCauses(field: string, name: string): Cause[] {
  const problems = validateQualifiedName(name).map((problem) => invalidCause(field, name, problem));
  if (!name.includes('/'))
    return containerResourceNames.has(name) || name.startsWith('hugepages-')
      ? problems
      : [
          ...problems,
          ...(problems.length === 0
            ? [invalidCause(field, name, 'must be a standard resource type or fully qualified')]
            : []),
          invalidCause(field, name, 'must be a standard resource for containers'),
        ];
  if (problems.length > 0)
    return name.split('/').length > 2
      ? [...problems, invalidCause(field, name, "doesn't follow extended resource name standard")]
      : problems;
  return isExtendedResource(name) || name.split('/')[0] === 'kubernetes.io' || !name.startsWith('requests.')
    ? []
    : [invalidCause(field, name, "doesn't follow extended resource name standard")];
}

type RequestedAmount = {
  readonly field: string;
  readonly name: string;
  readonly amount: JsonValue;
  readonly limit: JsonValue | undefined;
};

/** The problems of a request that has a limit, or has none. */
export function limitCauses({ field, name, amount, limit }: RequestedAmount): Cause[] {
  const requested = amountNanos(amount) ?? 0n;
  if (limit === undefined)
    return isPromisedOnce(name)
      ? [requiredCause(field.replace(/\.requests$/, '.limits'), 'Limit must be set for non overcommitable resources')]
      : [];
  const most = amountNanos(limit) ?? 0n;
  if (isPromisedOnce(name) && requested !== most)
    return [invalidCause(field, amountText(amount), `must be equal to ${name} limit of ${amountText(limit)}`)];
  return requested > most
    ? [invalidCause(field, amountText(amount), `must be less than or equal to ${name} limit of ${amountText(limit)}`)]
    : [];
}
