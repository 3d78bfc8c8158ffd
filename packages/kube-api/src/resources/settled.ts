import { readOwn, writeOwn } from '@nodewright/apis';
import type { StructuralSchema } from '../schema/structural.ts';
import type { ApiObject } from '../storage/api-object.ts';
import type { Resource } from './resource.ts';

/** The schema by which a stored object was decoded, pruned and defaulted: once more would change nothing. */
const settledBy = new WeakMap<ApiObject, StructuralSchema>();

/** Notes that a stored object went the whole way. @returns the object */
export function settled({ schema, fromStored }: Resource, stored: ApiObject): ApiObject {
  if (schema !== undefined && fromStored(stored) === stored) settledBy.set(stored, schema);
  return stored;
}

/** What a write changes of a stored object; the rest has gone the whole way already and need not go it again. */
export type Change = {
  /** The object with what changed and what identifies it. */
  readonly part: ApiObject;
  /** A part that was worked on, with the rest put back. */
  readonly whole: (part: ApiObject) => ApiObject;
};

/** Everything, unless `before` is as it was stored and so are members of `after`. */
export function changeOf({ schema }: Resource, before: ApiObject | undefined, after: ApiObject): Change {
  if (before === undefined || schema === undefined || settledBy.get(before) !== schema) {
    return { part: after, whole: (part) => part };
  }
  const { metadata, ...members } = after;
  const part = {
    ...without(members, before, identity),
    metadata: without(metadata, before.metadata, identity),
  } as ApiObject;
  return {
    part,
    whole: (worked) => {
      const changed = restored(metadata, worked.metadata, part.metadata) as ApiObject['metadata'];
      return restored(after, { ...worked, metadata: changed }, part) as ApiObject;
    },
  };
}

type Members = Readonly<Record<string, unknown>>;

const identity: ReadonlySet<string> = new Set(['kind', 'apiVersion', 'name', 'namespace', 'uid']);

/** The members that are objects and the same ones as before are left out. */
function without(members: Members, before: Members, kept: ReadonlySet<string>): Members {
  const changed: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    const value = readOwn(members, name);
    const isSame = typeof value === 'object' && value !== null && value === readOwn(before, name);
    if (!isSame || kept.has(name)) writeOwn(changed, name, value);
  }
  return changed;
}

/** In the order in which they came; what was added meanwhile comes last. */
function restored(members: Members, changed: Members, part: Members): Members {
  const result: Record<string, unknown> = {};
  for (const name of Object.keys(members)) {
    if (!Object.hasOwn(part, name)) writeOwn(result, name, readOwn(members, name));
    else if (Object.hasOwn(changed, name)) writeOwn(result, name, readOwn(changed, name));
  }
  for (const name of Object.keys(changed))
    if (!Object.hasOwn(members, name)) writeOwn(result, name, readOwn(changed, name));
  return result;
}
