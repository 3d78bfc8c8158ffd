import { isObject, type JsonValue } from '../json.ts';
import { memberSchema, type ValueSchema } from '../structural.ts';
import { identifierOf } from './identifier.ts';

/** The values in expressions: integers are bigints, `date-time` texts are dates, objects are plain objects. */
export type CelValue = null | boolean | bigint | number | string | Date | CelValue[] | ReadonlyMap<string, CelValue>;

/** Converts a value by its schema. Members of an object become identifiers, keys of a map stay. */
export function toCel(schema: ValueSchema | undefined, value: JsonValue): CelValue {
  if (Array.isArray(value)) return value.map((item) => toCel(schema?.items, item));
  if (isObject(value)) return new Map(celEntries(schema, value));
  if (typeof value === 'number') return toNumber(schema, value);
  return typeof value === 'string' ? toText(schema, value) : value;
}

const celEntries = (schema: ValueSchema | undefined, value: { [key: string]: JsonValue }): [string, CelValue][] =>
  Object.entries(value).map(([key, inner]) => {
    const isMember = schema?.properties !== undefined && Object.hasOwn(schema.properties, key);
    return [isMember ? identifierOf(key) : key, toCel(memberSchema(schema, key), inner)];
  });

const toNumber = (schema: ValueSchema | undefined, value: number): bigint | number =>
  schema?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);

/** A text that is not a valid date stays a text; the format check reports it. */
function toText(schema: ValueSchema | undefined, value: string): CelValue {
  if (schema?.format !== 'date-time' && schema?.format !== 'date') return value;
  const at = Date.parse(value);
  return Number.isNaN(at) ? value : new Date(at);
}
