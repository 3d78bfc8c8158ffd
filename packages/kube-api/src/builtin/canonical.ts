import { formatQuantity, isQuantity, parseQuantity, readOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject, mappedItems, mappedMembers } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';

/**
 * The form in which a built-in object comes back from a server that reads it into its own types and prints it
 * again: members that are null or empty are left out, unless their type distinguishes empty from absent, and
 * quantities have their canonical text.
 */
export function canonical(schema: StructuralSchema, value: JsonObject): JsonObject {
  return withoutEmpty(schema, value, { inStatus: false });
}

type Place = { readonly inStatus: boolean };

function withoutEmpty(schema: StructuralSchema, value: JsonObject, place: Place): JsonObject {
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    const where = key === 'status' ? inStatus : place;
    const next = known === undefined ? inner : reprinted(known, inner, where);
    return !isOmitted(known, key, next, where) || isAlwaysPrinted(schema, key) ? next : undefined;
  });
}

const inStatus: Place = { inStatus: true };

function reprinted(schema: StructuralSchema, value: Json, place: Place): Json {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined ? value : mappedItems(value, (item) => reprinted(items, item, place));
  }
  if (schema.format === 'quantity') return canonicalQuantity(value);
  return isObject(value) ? withoutEmpty(schema, value, place) : value;
}

/** `0.5` is kept as `500m`, `1024Mi` as `1Gi`; what is no quantity is left for validation. */
const canonicalQuantity = (value: Json): Json =>
  (typeof value === 'string' || typeof value === 'number') && isQuantity(value)
    ? formatQuantity(parseQuantity(value))
    : value;

/** Members of a map are never left out, nor are members that the type prints even when they are zero. */
const isAlwaysPrinted = (schema: StructuralSchema, key: string): boolean =>
  schema.properties === undefined ||
  schema.required?.includes(key) === true ||
  readOwn(schema.properties, key)?.default !== undefined;

function isOmitted(schema: StructuralSchema | undefined, key: string, value: Json, place: Place): boolean {
  if (value === null) return !printedNulls.has(key);
  if (value === '') return !emptyTexts.has(key) && schema?.['x-kubernetes-int-or-string'] !== true;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return isMap(schema) && Object.keys(value).length === 0;
  if (value === false) return plainFlags.has(key);
  return value === 0 && (plainNumbers.has(key) || (place.inStatus && !statusPointers.has(key)));
}

const isMap = (schema: StructuralSchema | undefined): boolean =>
  schema?.properties === undefined && schema?.additionalProperties !== undefined;

/** Times that the types print as null when they are not set. */
const printedNulls: ReadonlySet<string> = new Set([
  'eventTime',
  'firstTimestamp',
  'lastTimestamp',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'lastProbeTime',
  'lastTransitionTime',
  'lastUpdateTime',
  'lastHeartbeatTime',
  'startedAt',
  'finishedAt',
]);

/** Texts for which empty means something else than absent. */
const emptyTexts: ReadonlySet<string> = new Set([
  'storageClassName',
  'ingressClassName',
  'loadBalancerClass',
  'appProtocol',
  'holderIdentity',
  'volumeAttributesClassName',
]);

/** Flags whose type cannot tell false from absent. */
const plainFlags: ReadonlySet<string> = new Set([
  'hostNetwork',
  'hostPID',
  'hostIPC',
  'readOnly',
  'unschedulable',
  'stdin',
  'stdinOnce',
  'tty',
  'paused',
  'publishNotReadyAddresses',
  'globalDefault',
  'orphan',
  'preserveUnknownFields',
]);

/** Numbers whose type cannot tell zero from absent, outside a status. */
const plainNumbers: ReadonlySet<string> = new Set([
  'minReadySeconds',
  'generation',
  'hostPort',
  'nodePort',
  'initialDelaySeconds',
  'observedGeneration',
  'healthCheckNodePort',
  'count',
]);

/** Numbers inside a status whose zero is printed. */
const statusPointers: ReadonlySet<string> = new Set([
  'terminatingReplicas',
  'collisionCount',
  'ready',
  'terminating',
  'restartCount',
  'exitCode',
]);
