import { isObject, type JsonValue, mappedItems, mappedMembers } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';

/**
 * The value with every whole number that is too large for its type wrapped around, as the types of a built-in kind take
 * the values of an apply.
 */
export function wrapIntegers(schema: ValueSchema, value: JsonValue): JsonValue {
  if (typeof value === 'number' && schema.type === 'integer') return wrapInteger(schema, value);
  const { items } = schema;
  if (Array.isArray(value))
    return items === undefined ? value : mappedItems(value, (item) => wrapIntegers(items, item));
  if (!isObject(value)) return value;
  return mappedMembers(value, (inner, key) => {
    const known = memberSchema(schema, key);
    return known === undefined ? inner : wrapIntegers(known, inner);
  });
}

const leastInt64 = -(2n ** 63n);

function wrapInteger({ format }: ValueSchema, value: number): number {
  if (!Number.isInteger(value)) return value;
  const whole = BigInt(value);
  const wide = whole < leastInt64 || whole >= -leastInt64 ? leastInt64 : whole;
  return Number(format === 'int64' ? wide : BigInt.asIntN(32, wide));
}
