import { type Cause, invalidCause, notSupportedCause, requiredCause } from '../../schema/cause.ts';
import { type JsonObject, type JsonValue, jsonTextAt } from '../../schema/json.ts';
import { validateQualifiedName } from '../../schema/metadata/names.ts';
import { amountNanos, amountText, validateNamed } from './checks.ts';

/** Members of a pod that its containers can read at all. */
const readableFields: ReadonlySet<string> = new Set([
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.restartPolicy',
  'spec.serviceAccountName',
  'spec.schedulerName',
  'status.phase',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
  'spec.host',
]);

/** Members that a variable may have. */
export const variableFields = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Members that a file may have. */
export const fileFields = [
  'metadata.annotations',
  'metadata.labels',
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
];

/** The problems of a reference to a member of the pod. */
export function fieldReferenceCauses(reference: JsonObject, field: string, allowed: readonly string[]): Cause[] {
  const [version, path] = [jsonTextAt(reference, 'apiVersion'), jsonTextAt(reference, 'fieldPath')];
  const place = `${field}.fieldPath`;
  if (version === '') return [requiredCause(`${field}.apiVersion`)];
  if (path === '') return [requiredCause(place)];
  const refuse = (because: string): Cause[] => [invalidCause(place, path, `error converting fieldPath: ${because}`)];
  if (version !== 'v1') return refuse(`unsupported pod version: ${version}`);
  const [, owner, key = ''] = /^([^[]*)\['(.*)'\]$/.exec(path) ?? [];
  if (owner === 'metadata.annotations') return validateNamed(field, key.toLowerCase(), validateQualifiedName);
  if (owner === 'metadata.labels') return validateNamed(field, key, validateQualifiedName);
  if (!readableFields.has(path)) return refuse(`field label not supported: ${path}`);
  const known = path === 'spec.host' ? 'spec.nodeName' : path;
  return allowed.includes(known) ? [] : [notSupportedCause(place, path, allowed)];
}

const amountNames = ['cpu', 'ephemeral-storage', 'memory'].flatMap((name) => [`limits.${name}`, `requests.${name}`]);

/** The problems of a reference to an amount of a container. A file says of which container. */
export function amountReferenceCauses(reference: JsonObject, field: string, { isFile }: { isFile: boolean }): Cause[] {
  const resource = jsonTextAt(reference, 'resource');
  if (isFile && jsonTextAt(reference, 'containerName') === '') return [requiredCause(`${field}.containerName`)];
  if (resource === '') return [requiredCause(`${field}.resource`)];
  const isKnown = amountNames.includes(resource) || /^(limits|requests)\.hugepages-/.test(resource);
  return [
    ...(isKnown ? [] : [notSupportedCause(`${field}.resource`, resource, amountNames.toSorted())]),
    ...divisorCauses(reference['divisor'], resource, `${field}.divisor`),
  ];
}

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

/** What an amount may be divided by, and how refusals call it. */
const divisors: readonly (readonly [resource: RegExp, units: readonly string[], called: string])[] = [
  [/\.cpu$/, ['1m', '1'], 'cpu resource'],
  [/\.memory$/, byteDivisors, 'memory resource'],
  [/\.ephemeral-storage$/, byteDivisors, 'local ephemeral storage resource'],
  [/\.hugepages-/, byteDivisors, 'hugepages resource'],
];

function divisorCauses(divisor: JsonValue | undefined, resource: string, field: string): Cause[] {
  const [, units, called] = divisors.find(([pattern]) => pattern.test(resource)) ?? [];
  if (divisor === undefined || units === undefined || (amountNanos(divisor) ?? 0n) === 0n) return [];
  if (units.includes(amountText(divisor))) return [];
  const listed = units.length === 2 ? units.join(' and ') : units.join(', ');
  return [invalidCause(field, resource, `only divisor's values ${listed} are supported with the ${called}`)];
}
