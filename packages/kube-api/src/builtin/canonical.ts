import { formatQuantity, isQuantity, parseQuantity, readOwn } from '@nodewright/apis';
import { goTypeName, membersWithZero } from '../schema/definitions.ts';
import { isObject, type JsonValue, type JsonObject, mappedItems, mappedMembers } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';

/**
 * The object as a real server prints it after decoding it into its types. Null and empty members are left out unless
 * the type distinguishes empty from absent, and quantities have their canonical text.
 */
export function toCanonicalForm(schema: ValueSchema, value: JsonObject): JsonObject {
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    if (known === undefined) return inner === null ? undefined : inner;
    const decoded = inner === null && isMapOfScalars(schema) ? zeroOf(known) : inner;
    const next = reprintValue(known, decoded);
    return isEmptyList(known, next) ? emptyListOf(schema, key, next) : isOmitted(schema, key, next) ? undefined : next;
  });
}

/** Lists and maps that are not left out when they are empty are printed as null. */
const emptyListOf = (schema: ValueSchema, key: string, value: JsonValue): JsonValue | undefined =>
  schema.properties === undefined || membersWithZero(schema).has(key)
    ? value
    : readOwn(schema.properties, key)?.default === null
      ? null
      : undefined;

const isEmptyList = (schema: ValueSchema, value: JsonValue): boolean =>
  schema['x-kubernetes-preserve-unknown-fields'] !== true &&
  (Array.isArray(value) ? value.length === 0 : isObject(value) && isMap(schema) && Object.keys(value).length === 0);

/** Maps and lists have no nulls: one is read as the empty value of their type. */
function zeroOf(schema: ValueSchema): JsonValue {
  if (schema.format === 'quantity') return '0';
  if (schema.type === 'string') return '';
  if (schema.type === 'integer' || schema.type === 'number') return 0;
  return schema.properties === undefined ? null : {};
}

const isMapOfScalars = ({ properties, additionalProperties }: ValueSchema): boolean =>
  properties === undefined && typeof additionalProperties === 'object';

function reprintValue(schema: ValueSchema, value: JsonValue): JsonValue {
  if (Array.isArray(value)) {
    const { items } = schema;
    return items === undefined
      ? value
      : mappedItems(value, (item) => reprintValue(items, item === null ? zeroOf(items) : item));
  }
  if (schema.format === 'quantity') return canonicalQuantity(value);
  if (isAmountMap(schema) && isObject(value)) return roundedAmounts(toCanonicalForm(schema, value));
  if (schema.format === 'date-time' && typeof value === 'string') return canonicalTime(schema, value);
  if (schema.format === 'byte' && typeof value === 'string') return value.replaceAll(/[\r\n]/g, '');
  return isObject(value) ? toCanonicalForm(schema, value) : value;
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

const nanosOfThousandth = 1_000_000n;

/** Amounts of resources have no parts below a thousandth: they are rounded up. */
const roundedAmounts = (amounts: JsonObject): JsonObject =>
  mappedMembers(amounts, (amount) => {
    if ((typeof amount !== 'string' && typeof amount !== 'number') || !isQuantity(amount)) return amount;
    const { nanos } = parseQuantity(amount);
    const below = nanos % nanosOfThousandth;
    if (below === 0n) return amount;
    return `${nanos / nanosOfThousandth + (below > 0n ? 1n : -1n)}m`;
  });

const isAmountMap = ({ properties, additionalProperties }: ValueSchema): boolean =>
  properties === undefined && typeof additionalProperties === 'object' && additionalProperties.format === 'quantity';

/** Members of a map are never left out. Members that the type prints as zero or as null are not left out either. */
const isAlwaysPrinted = (schema: ValueSchema, key: string): boolean =>
  schema.properties === undefined || readOwn(schema.properties, key)?.default !== undefined;

const isZeroScalar = (value: JsonValue): boolean => value === '' || value === 0 || value === false;

function isOmitted(schema: ValueSchema, key: string, value: JsonValue): boolean {
  if (value === null) return schema.properties !== undefined && readOwn(schema.properties, key)?.default !== null;
  if (isAlwaysPrinted(schema, key)) return false;
  const isText = readOwn(schema.properties, key)?.['x-kubernetes-int-or-string'] === true;
  return isZeroScalar(value) && !isText && !membersWithZero(schema).has(key);
}

const isMap = (schema: ValueSchema | undefined): boolean =>
  schema?.properties === undefined && schema?.additionalProperties !== undefined;
