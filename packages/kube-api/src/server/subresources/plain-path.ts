import { readOwn } from '@nodewright/apis';
import type { ApiObject } from '../../storage/api-object.ts';

type Members = Readonly<Record<string, unknown>>;

const namesOf = (path: string): readonly string[] => path.split('.').filter((name) => name !== '');

/** What stands at a path of member names such as `.spec.replicas`. */
export const valueAtPath = (object: ApiObject, path: string): unknown =>
  namesOf(path).reduce<unknown>((value, name) => readOwn(value as Members | undefined, name), object);

/** A copy with the value at the path set. */
export function withValueAtPath(object: ApiObject, path: string, value: unknown): ApiObject {
  return changed(object, namesOf(path), value) as ApiObject;
}

function changed(members: Members | undefined, [name, ...rest]: readonly string[], value: unknown): Members {
  if (name === undefined) return members ?? {};
  const inner = rest.length === 0 ? value : changed(readOwn(members, name) as Members | undefined, rest, value);
  return { ...members, [name]: inner };
}
