import { isObject, type JsonObject, type JsonValue, mappedItems, mappedMembers, memberOf } from '../schema/json.ts';

/** Members of features that are off by default: they are left out of what is stored. */
const offMembers: ReadonlySet<string> = new Set([
  'lifecycle',
  'maxUnavailable',
  'nodeAllocatableResourceClaimStatuses',
  'schedulingGroup',
  'stopSignal',
  'volumeStatus',
]);

/**
 * The object as it is stored, with what its writer owns although it is not stored: empty lists, which are stored as null,
 * and members of features that are off.
 */
export function withUnstoredMembers(stored: JsonObject, written: JsonObject): JsonObject {
  const kept = mappedMembers(stored, (value, key) => withEmptiesOf(value, memberOf(written, key)));
  const off = Object.entries(written).filter(
    ([key, value]) => value !== null && offMembers.has(key) && !Object.hasOwn(stored, key),
  );
  return off.length === 0 ? kept : { ...kept, ...Object.fromEntries(off) };
}

function withEmptiesOf(value: JsonValue, written: JsonValue | undefined): JsonValue {
  if (value === null) return Array.isArray(written) && written.length === 0 ? written : value;
  if (isObject(value)) return isObject(written) ? withUnstoredMembers(value, written) : value;
  if (!Array.isArray(value) || !Array.isArray(written) || value.length !== written.length) return value;
  return mappedItems(value, (item, index) => withEmptiesOf(item, written[index]));
}
