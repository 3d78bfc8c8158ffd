import { readOwn } from '@nodewright/apis';
import type { ApiObject } from '../storage/api-object.ts';

/** The members of something whose shape nobody has checked. */
export type Members = Readonly<Record<string, unknown>>;

/** What stands at a path of member names; undefined where it ends early. */
export const at = (object: ApiObject | Members, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => readOwn(value as Members | undefined | null, name), object);

export const textAt = (object: ApiObject | Members, path: string, otherwise = ''): string => {
  const value = at(object, path);
  return value === undefined || value === null || value === ''
    ? otherwise
    : typeof value === 'string'
      ? value
      : JSON.stringify(value);
};

export const numberAt = (object: ApiObject | Members, path: string): number => Number(at(object, path) ?? 0);

export const listAt = (object: ApiObject | Members, path: string): readonly Members[] =>
  (at(object, path) ?? []) as readonly Members[];

/** `a=b,c=d` with keys sorted; `<none>` when there is none. */
export function labelsText(labels: unknown): string {
  const entries = Object.entries((labels ?? {}) as Readonly<Record<string, string>>);
  const sorted = entries.toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sorted.length === 0 ? '<none>' : sorted.map(([key, value]) => `${key}=${value}`).join(',');
}
