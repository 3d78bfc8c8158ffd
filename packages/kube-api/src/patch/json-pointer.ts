import { readOwn, writeOwn } from '@nodewright/apis';
import { isObject, type JsonValue, type JsonObject } from '../schema/json.ts';

/** The target of a JSON pointer: the object or list that holds the value, and the value's key. */
export type PointedPlace = { readonly holder: JsonValue[] | JsonObject; readonly key: string };

/**
 * The target of a JSON pointer; undefined when a holder is missing, and for the document itself, which no operation
 * replaces. The value need not exist. @see RFC 6901
 */
export function findPointedPlace(doc: JsonValue, pointer: string): PointedPlace | undefined {
  // A real server does not look at what stands before the first slash.
  const [, ...steps] = pointer.split('/').map(unescapeStep);
  const key = steps.pop();
  if (key === undefined) return undefined;
  let holder: JsonValue | undefined = doc;
  for (const step of steps) holder = isHolder(holder) ? readPointed({ holder, key: step }) : undefined;
  return isHolder(holder) ? { holder, key } : undefined;
}

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const isHolder = (value: JsonValue | undefined): value is JsonValue[] | JsonObject =>
  Array.isArray(value) || isObject(value);

/** The value at the place; undefined where there is none. */
export function readPointed({ holder, key }: PointedPlace): JsonValue | undefined {
  return Array.isArray(holder) ? holder[indexOfStep(key) ?? -1] : readOwn(holder, key);
}

/** Sets a member, or inserts an item before another. @returns false when a list has no such index */
export function insertPointed({ holder, key }: PointedPlace, value: JsonValue): boolean {
  if (!Array.isArray(holder)) {
    writeOwn(holder, key, value);
    return true;
  }
  const index = key === '-' ? holder.length : indexOfStep(key);
  if (index === undefined || index > holder.length) return false;
  holder.splice(index, 0, value);
  return true;
}

/** Replaces a value. A member may be absent, an item must exist. @returns false when the item does not exist */
export function replacePointed({ holder, key }: PointedPlace, value: JsonValue): boolean {
  if (!Array.isArray(holder)) {
    writeOwn(holder, key, value);
    return true;
  }
  const index = indexOfStep(key);
  if (index === undefined || index >= holder.length) return false;
  holder[index] = value;
  return true;
}

/** @returns whether there was a value to remove */
export function removePointed(place: PointedPlace): boolean {
  if (readPointed(place) === undefined) return false;
  const { holder, key } = place;
  if (Array.isArray(holder)) holder.splice(indexOfStep(key) ?? 0, 1);
  else delete holder[key];
  return true;
}

/** The list index of a step: decimal digits without a leading zero. */
const indexOfStep = (step: string): number | undefined => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : undefined);
