import { byTextOf, readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';

/** The members of a value of unknown shape. */
export type TableMembers = Readonly<Record<string, unknown>>;

/** The value at a path of member names; undefined when the path ends early. */
export const readPath = (object: ApiObject | TableMembers, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => readOwn(value as TableMembers | undefined | null, name), object);

export const readText = (object: ApiObject | TableMembers, path: string, otherwise = ''): string => {
  const value = readPath(object, path);
  return value === undefined || value === null || value === ''
    ? otherwise
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
};

export const readNumber = (object: ApiObject | TableMembers, path: string): number =>
  Number(readPath(object, path) ?? 0);

export const readList = (object: ApiObject | TableMembers, path: string): readonly TableMembers[] =>
  (readPath(object, path) ?? []) as readonly TableMembers[];

/** Prints labels as `a=b,c=d` with sorted keys; `<none>` without labels. */
export function labelsText(labels: unknown): string {
  const entries = Object.entries((labels ?? {}) as Readonly<Record<string, string>>);
  const sorted = entries.toSorted(byTextOf(([key]) => key));
  return sorted.length === 0 ? '<none>' : sorted.map(([key, value]) => `${key}=${value}`).join(',');
}
