import { byText, readOwn } from '@nodewright/apis';
import { isObject, type JsonValue, memberOf } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';

/**
 * One step into an object, as FieldsV1 writes it: `f:<member>`, `k:<keys of a list item as JSON>` or
 * `v:<value of a set as JSON>`.
 */
export type PathElement = string;

/** The elements from the root of an object to a field. */
export type FieldPath = readonly PathElement[];

export const memberElement = (name: string): PathElement => `f:${name}`;

export const nameOfMemberElement = (element: PathElement): string => element.slice(2);

/** The element that identifies a list item. An absent key counts with its default. */
export function itemElement(list: ValueSchema, item: JsonValue): PathElement {
  if (list['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const keys = (list['x-kubernetes-list-map-keys'] ?? []).toSorted(byText);
  const values = keys.flatMap((key): [string, JsonValue][] => {
    const value = memberOf(item, key) ?? readOwn(list.items?.properties, key)?.default;
    return value === undefined ? [] : [[key, value]];
  });
  return `k:${JSON.stringify(Object.fromEntries(values))}`;
}

/** Prints a path as conflict messages name a field: `.spec.containers[name="c"].image`. */
export const printPath = (path: FieldPath): string => path.map(printElement).join('');

function printElement(element: PathElement): string {
  if (element.startsWith('f:')) return `.${nameOfMemberElement(element)}`;
  const value: JsonValue = JSON.parse(element.slice(2));
  if (element.startsWith('v:') || !isObject(value)) return `[=${JSON.stringify(value)}]`;
  const keys = Object.entries(value).map(([key, inner]) => `${key}=${JSON.stringify(inner)}`);
  return `[${keys.join(',')}]`;
}
