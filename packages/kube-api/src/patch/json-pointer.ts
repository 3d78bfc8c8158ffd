import { readOwn, writeOwn } from '@nodewright/apis';
import { isObject, type Json, type JsonObject } from '../schema/json.ts';

/** Where a JSON pointer leads: the object or list that holds the value, and the value's key there. */
export type PointedPlace = { readonly holder: Json[] | JsonObject; readonly key: string };

/**
 * The place that a JSON pointer names; undefined when a holder on the way is missing, and for the document itself,
 * which no operation replaces. The value need not exist. @see RFC 6901
 */
export function findPointedPlace(doc: Json, pointer: string): PointedPlace | undefined {
  const [root, ...steps] = pointer.split('/').map(unescapeStep);
  const key = steps.pop();
  if (root !== '' || key === undefined) return undefined;
  let holder: Json | undefined = doc;
  for (const step of steps) holder = isHolder(holder) ? readPointed({ holder, key: step }) : undefined;
  return isHolder(holder) ? { holder, key } : undefined;
}

const unescapeStep = (step: string): string => step.replaceAll('~1', '/').replaceAll('~0', '~');

const isHolder = (value: Json | undefined): value is Json[] | JsonObject => Array.isArray(value) || isObject(value);

/** The value at the place; undefined where there is none. */
export function readPointed({ holder, key }: PointedPlace): Json | undefined {
  return Array.isArray(holder) ? holder[indexOfStep(key) ?? -1] : readOwn(holder, key);
}

/** Puts a member in the place of another, or an item before another. @returns whether a list has such a place */
export function insertPointed({ holder, key }: PointedPlace, value: Json): boolean {
  if (!Array.isArray(holder)) {
    writeOwn(holder, key, value);
    return true;
  }
  const index = key === '-' ? holder.length : indexOfStep(key);
  if (index === undefined || index > holder.length) return false;
  holder.splice(index, 0, value);
  return true;
}

/** Puts a value in the place of another; a member may be missing, an item must exist. @returns whether it did */
export function replacePointed({ holder, key }: PointedPlace, value: Json): boolean {
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

/** The index that a step names: decimal digits without a leading zero. */
const indexOfStep = (step: string): number | undefined => (/^(0|[1-9]\d*)$/.test(step) ? Number(step) : undefined);
