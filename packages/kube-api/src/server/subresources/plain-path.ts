import { readOwn } from '@nodewright/apis';
import type { ApiObject } from '../../storage/api-object.ts';

type PathMembers = Readonly<Record<string, unknown>>;

const splitPlainPath = (path: string): readonly string[] => path.split('.').filter((name) => name !== '');

/** The value at a path of member names such as `.spec.replicas`. */
export const readPlainPath = (object: ApiObject, path: string): unknown =>
  splitPlainPath(path).reduce<unknown>((value, name) => readOwn(value as PathMembers | undefined, name), object);

/** A copy with the value at the path set. */
export function withPlainPath(object: ApiObject, path: string, value: unknown): ApiObject {
  return changeAtPath(object, splitPlainPath(path), value) as ApiObject;
}

function changeAtPath(
  members: PathMembers | undefined,
  [name, ...rest]: readonly string[],
  value: unknown,
): PathMembers {
  if (name === undefined) return members ?? {};
  const inner =
    rest.length === 0 ? value : changeAtPath(readOwn(members, name) as PathMembers | undefined, rest, value);
  return { ...members, [name]: inner };
}
