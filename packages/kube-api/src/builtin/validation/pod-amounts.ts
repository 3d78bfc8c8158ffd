import { formatQuantity, parseQuantity } from '@nodewright/apis';
import { type Cause, forbiddenCause, invalidCause, notSupportedCause } from '../../schema/cause.ts';
import { isObject, type JsonObject, type JsonValue, memberOf, valueAtPath } from '../../schema/json.ts';
import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { amountNanos, amountText, jsonObjectsIn, membersOf, validateNamed } from './checks.ts';
import { claimUseCauses, podClaimNames } from './container-parts.ts';
import { containerAmountNameCauses, limitCauses } from './container-resources.ts';
import { amountCauses } from './quota.ts';

/** The problems of what a pod as a whole requests, and of what it takes beside its containers. */
export const podAmountCauses = (spec: JsonObject, field: string): Cause[] => [
  ...(isObject(spec['resources']) ? wholePodCauses(spec, spec['resources'], `${field}.resources`) : []),
  ...membersOf(spec['overhead']).flatMap(([name, amount]) => [
    ...containerAmountNameCauses(`${field}.overhead.limits[${name}]`, name),
    ...amountCauses({ field: `${field}.overhead.limits[${name}]`, name, amount }),
  ]),
];

function wholePodCauses(spec: JsonObject, resources: JsonObject, field: string): Cause[] {
  const { requests, limits } = resources;
  return [
    ...(resources['claims'] === undefined
      ? []
      : [forbiddenCause(`${field}.claims`, 'claims may not be set for Resources at pod-level')]),
    ...claimUseCauses({ resources }, field.replace(/\.resources$/, ''), podClaimNames(spec)),
    ...membersOf(limits).flatMap(([name, amount]) => podAmountAt(`${field}.limits[${name}]`, name, amount)),
    ...membersOf(requests).flatMap(([name, amount]) => [
      ...podAmountAt(`${field}.requests[${name}]`, name, amount),
      ...limitCauses({ field: `${field}.requests`, name, amount, limit: memberOf(limits, name) }),
      ...sumCauses(spec, name, amount).map((because) =>
        invalidCause(`${field}.requests[${name}]`, amountText(amount), because),
      ),
    ]),
  ];
}

function podAmountAt(field: string, name: string, amount: JsonValue): Cause[] {
  const named = validateNamed(field, name, validateQualifiedName);
  const isStandard = ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
  const problems =
    named.length === 0 && !isStandard && !name.includes('/')
      ? [invalidCause(field, name, 'must be a standard resource type or fully qualified')]
      : named;
  const isOfPod = name === 'cpu' || name === 'memory' || name.startsWith('hugepages-');
  return [
    ...problems,
    ...(problems.length === 0 && !isOfPod ? [notSupportedCause(field, name, ['cpu', 'hugepages-', 'memory'])] : []),
    ...((amountNanos(amount) ?? 0n) < 0n
      ? [invalidCause(field, amountText(amount), 'must be greater than or equal to 0')]
      : []),
  ];
}

/** A pod requests at least what its containers request together. */
function sumCauses(spec: JsonObject, name: string, amount: JsonValue): string[] {
  const sum = jsonObjectsIn(spec['containers'])
    .map((container) => amountNanos(valueAtPath(container, 'resources', 'requests', name)) ?? 0n)
    .reduce((total, each) => total + each, 0n);
  if (sum <= (amountNanos(amount) ?? 0n)) return [];
  const text = formatQuantity({ ...parseQuantity('0'), nanos: sum });
  return [`must be greater than or equal to aggregate container requests of ${text}`];
}
