import { isObject, type JsonObject, type JsonValue, mappedItems, mappedMembers, memberOf } from '../schema/json.ts';

/**
 * The object as it is stored, with the empty lists that its writer wrote. They are stored as null, and the writer owns them
 * nevertheless.
 */
export const withWrittenEmpties = (stored: JsonObject, written: JsonObject): JsonObject =>
  mappedMembers(stored, (value, key) => withEmptiesOf(value, memberOf(written, key)));

function withEmptiesOf(value: JsonValue, written: JsonValue | undefined): JsonValue {
  if (value === null) return Array.isArray(written) && written.length === 0 ? written : value;
  if (isObject(value)) return isObject(written) ? withWrittenEmpties(value, written) : value;
  if (!Array.isArray(value) || !Array.isArray(written) || value.length !== written.length) return value;
  return mappedItems(value, (item, index) => withEmptiesOf(item, written[index]));
}
