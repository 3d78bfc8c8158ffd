import { formatQuantity, isQuantity, parseQuantity, readOwn } from '@nodewright/apis';
import { goTypeName } from '../schema/definitions.ts';
import { isObject, type JsonValue, type JsonObject, mappedItems, mappedMembers } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';

/**
 * The object as a real server prints it after decoding it into its types. Null and empty members are left out unless
 * the type distinguishes empty from absent, and quantities have their canonical text.
 */
export function toCanonicalForm(schema: ValueSchema, value: JsonObject): JsonObject {
  return dropEmptyMembers(schema, value, { inStatus: false });
}

type PrintedPlace = { readonly inStatus: boolean };

function dropEmptyMembers(schema: ValueSchema, value: JsonObject, place: PrintedPlace): JsonObject {
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    const where = key === 'status' ? inStatus : place;
    const decoded = inner === null && known !== undefined && isMapOfScalars(schema) ? zeroOf(known) : inner;
    const next = known === undefined ? decoded : reprintValue(known, decoded, where);
    return !isOmitted(known, key, next, where) || isAlwaysPrinted(schema, key) ? next : undefined;
  });
}

/** Maps and lists have no nulls: one is read as the empty value of their type. */
function zeroOf(schema: ValueSchema): JsonValue {
  if (schema.format === 'quantity') return '0';
  if (schema.type === 'string') return '';
  return schema.properties === undefined ? null : {};
}

const isMapOfScalars = ({ properties, additionalProperties }: ValueSchema): boolean =>
  properties === undefined && typeof additionalProperties === 'object';

const inStatus: PrintedPlace = { inStatus: true };

function reprintValue(schema: ValueSchema, value: JsonValue, place: PrintedPlace): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : mappedItems(value, (item) => reprintValue(items, item === null ? zeroOf(items) : item, place));
  }
  if (schema.format === 'quantity') return canonicalQuantity(value);
  if (schema.format === 'date-time' && typeof value === 'string') return canonicalTime(schema, value);
  if (schema.format === 'byte' && typeof value === 'string') return value.replaceAll(/[\r\n]/g, '');
  return isObject(value) ? dropEmptyMembers(schema, value, place) : value;
}

/** A time is printed in whole seconds of UTC. Validation reports a text that is none. */
function canonicalTime(schema: ValueSchema, text: string): string {
  if (/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/.test(text) || goTypeName(schema) !== 'v1.Time') return text;
  const time = Date.parse(text);
  return Number.isNaN(time) ? text : `${new Date(time).toISOString().slice(0, 19)}Z`;
}

/** `0.5` becomes `500m`, `1024Mi` becomes `1Gi`. Validation reports a value that is not a quantity. */
const canonicalQuantity = (value: JsonValue): JsonValue =>
  (typeof value === 'string' || typeof value === 'number') && isQuantity(value)
    ? formatQuantity(parseQuantity(value))
    : value;

/** Members of a map are never left out. Members that the type prints as zero are not left out either. */
const isAlwaysPrinted = (schema: ValueSchema, key: string): boolean =>
  schema.properties === undefined ||
  schema.required?.includes(key) === true ||
  readOwn(schema.properties, key)?.default !== undefined;

function isOmitted(schema: ValueSchema | undefined, key: string, value: JsonValue, place: PrintedPlace): boolean {
  if (value === null) return !printedNulls.has(key);
  if (value === '') return !emptyTexts.has(key) && schema?.['x-kubernetes-int-or-string'] !== true;
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return isMap(schema) && Object.keys(value).length === 0;
  if (value === false) return plainFlags.has(key);
  return value === 0 && (plainNumbers.has(key) || (place.inStatus && !statusPointers.has(key)));
}

const isMap = (schema: ValueSchema | undefined): boolean =>
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
  'topologyKeys',
  'limits',
]);

/** Text members for which empty and absent differ. */
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
