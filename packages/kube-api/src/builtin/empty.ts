import { readOwn, writeOwn } from '@nodewright/apis';
import type { Json, JsonObject } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import { builtinSchema, type GroupVersionKind } from './definitions.ts';
import { absent } from './fill.ts';

/**
 * What the type of a built-in kind prints when nothing is set. Nobody owns these fields when an object is created,
 * so this is what a create is compared with.
 */
export function emptyBuiltin(type: GroupVersionKind): JsonObject {
  const schema = builtinSchema(type.group, type.version, type.kind);
  if (schema === undefined) return {};
  const empty = known.get(schema) ?? { ...emptyMembers(schema), ...readOwn(unset, `${type.group}/${type.kind}`) };
  known.set(schema, empty);
  return empty;
}

const known = new WeakMap<StructuralSchema, JsonObject>();

function emptyMembers(schema: StructuralSchema): JsonObject {
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (isEmptyObject(inner.default)) writeOwn(result, key, emptyMembers(inner));
    else if (isZero(inner.default)) writeOwn(result, key, inner.default);
    else if (inner.type === 'array' && schema.required?.includes(key) === true) writeOwn(result, key, []);
  }
  return result;
}

/** Times of events are printed as null until they are set. */
const unset: Readonly<Record<string, JsonObject>> = {
  '/Event': absent('eventTime', 'firstTimestamp', 'lastTimestamp'),
  'events.k8s.io/Event': {
    eventTime: null,
    deprecatedSource: {},
    ...absent('deprecatedFirstTimestamp', 'deprecatedLastTimestamp'),
  },
};

const isZero = (value: Json | undefined): value is Json => value === '' || value === 0 || value === false;

const isEmptyObject = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
