import { isObject, type Json } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { identifierOf } from './identifier.ts';

/**
 * What expressions see: integers are bigints, `date-time` texts are dates. Objects are maps, because the library takes a
 * member `constructor` of a plain object for the object's type.
 */
export type CelValue = null | boolean | bigint | number | string | Date | CelValue[] | ReadonlyMap<string, CelValue>;

/** A value as expressions see it, typed by its schema. Members of an object get identifiers, keys of a map stay. */
export function toCel(schema: StructuralSchema | undefined, value: Json): CelValue {
  if (Array.isArray(value)) return value.map((item) => toCel(schema?.items, item));
  if (isObject(value)) return new Map(entriesOf(schema, value));
  if (typeof value === 'number') return toNumber(schema, value);
  return typeof value === 'string' ? toText(schema, value) : value;
}

const entriesOf = (schema: StructuralSchema | undefined, value: { [key: string]: Json }): [string, CelValue][] =>
  Object.entries(value).map(([key, inner]) => {
    const isMember = schema?.properties !== undefined && Object.hasOwn(schema.properties, key);
    return [isMember ? identifierOf(key) : key, toCel(memberSchema(schema, key), inner)];
  });

const toNumber = (schema: StructuralSchema | undefined, value: number): bigint | number =>
  schema?.type === 'number' || !Number.isInteger(value) ? value : BigInt(value);

/** A text that is no valid date stays a text; validation of the format has already complained. */
function toText(schema: StructuralSchema | undefined, value: string): CelValue {
  if (schema?.format !== 'date-time' && schema?.format !== 'date') return value;
  const at = Date.parse(value);
  return Number.isNaN(at) ? value : new Date(at);
}
