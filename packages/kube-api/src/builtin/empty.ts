import { oncePerObject, readOwn, writeOwn } from '@nodewright/apis';
import type { JsonValue, JsonObject } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { builtinSchema, type GroupVersionKind } from '../schema/definitions.ts';
import { nullMembers } from './fill.ts';

/**
 * The fields that the type of a built-in kind prints when nothing is set. No manager owns them, so a create is
 * compared with this object.
 */
export function emptyBuiltin(type: GroupVersionKind): JsonObject {
  const schema = builtinSchema(type.group, type.version, type.kind);
  if (schema === undefined) return {};
  const added = readOwn(unset, `${type.group}/${type.kind}`);
  return added === undefined ? emptyMembers(schema) : { ...emptyMembers(schema), ...added };
}

const emptyMembers = oncePerObject((schema: ValueSchema): JsonObject => {
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (isEmptyDefault(inner.default)) writeOwn(result, key, emptyMembers(inner));
    else if (isZero(inner.default)) writeOwn(result, key, inner.default);
    else if (inner.type === 'array' && printsEmptyMembers(schema) && schema.required?.includes(key) === true)
      writeOwn(result, key, null);
  }
  return result;
});

/** Newer types require members that they leave out when they are empty: their texts have no default. */
const printsEmptyMembers = ({ required = [], properties = {} }: ValueSchema): boolean =>
  required.every(
    (key) => readOwn(properties, key)?.type !== 'string' || readOwn(properties, key)?.default !== undefined,
  );

/** Unset times of events are printed as null. */
const unset: Readonly<Record<string, JsonObject>> = {
  '/Event': nullMembers('eventTime', 'firstTimestamp', 'lastTimestamp'),
  'events.k8s.io/Event': {
    eventTime: null,
    deprecatedSource: {},
    ...nullMembers('deprecatedFirstTimestamp', 'deprecatedLastTimestamp'),
  },
};

const isZero = (value: JsonValue | undefined): value is JsonValue => value === '' || value === 0 || value === false;

const isEmptyDefault = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
