import { readOwn } from '@nodewright/apis';
import { isObject, type Json, member } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';

/**
 * One step into an object, as FieldsV1 writes it: `f:<member>`, `k:<keys of a list item as JSON>` or
 * `v:<value of a set as JSON>`.
 */
export type PathElement = string;

/** Steps from the root. */
export type FieldPath = readonly PathElement[];

export const memberElement = (name: string): PathElement => `f:${name}`;

export const memberName = (element: PathElement): string => element.slice(2);

/** How an item of a list is told from the others; keys that are absent count with their default. */
export function itemElement(list: StructuralSchema, item: Json): PathElement {
  if (list['x-kubernetes-list-type'] === 'set') return `v:${JSON.stringify(item)}`;
  const keys = (list['x-kubernetes-list-map-keys'] ?? []).toSorted((a, b) => (a < b ? -1 : 1));
  const values = keys.flatMap((key): [string, Json][] => {
    const value = member(item, key) ?? readOwn(list.items?.properties, key)?.default;
    return value === undefined ? [] : [[key, value]];
  });
  return `k:${JSON.stringify(Object.fromEntries(values))}`;
}

/** `.spec.containers[name="c"].image`, as conflicts name fields. */
export const printPath = (path: FieldPath): string => path.map(printElement).join('');

function printElement(element: PathElement): string {
  if (element.startsWith('f:')) return `.${memberName(element)}`;
  const value: Json = JSON.parse(element.slice(2));
  if (element.startsWith('v:') || !isObject(value)) return `[=${JSON.stringify(value)}]`;
  const keys = Object.entries(value).map(([key, inner]) => `${key}=${JSON.stringify(inner)}`);
  return `[${keys.join(',')}]`;
}
