import { readOwn } from '@nodewright/apis';

type JsonFields = Readonly<Record<string, unknown>>;

/** Whether two values that were read from JSON are equal, whatever the order of their fields. */
export function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  return Array.isArray(a) || Array.isArray(b)
    ? areSameJsonLists(a, b)
    : haveSameFields(a as JsonFields, b as JsonFields);
}

function areSameJsonLists(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (!isSameJson(a[i], b[i])) return false;
  return true;
}

function haveSameFields(a: JsonFields, b: JsonFields): boolean {
  let fields = 0;
  for (const name in a) {
    if (!isSameJson(readOwn(a, name), readOwn(b, name))) return false;
    fields += 1;
  }
  for (const _ in b) fields -= 1;
  return fields === 0;
}
