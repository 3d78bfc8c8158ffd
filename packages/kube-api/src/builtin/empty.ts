import { oncePerObject, writeOwn } from '@nodewright/apis';
import type { JsonValue, JsonObject } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import { builtinSchema, type GroupVersionKind } from '../schema/definitions.ts';

/**
 * The fields that the type of a built-in kind prints when nothing is set. No manager owns them, so a create is
 * compared with this object.
 */
export function emptyBuiltin(type: GroupVersionKind): JsonObject {
  const schema = builtinSchema(type.group, type.version, type.kind);
  return schema === undefined ? {} : emptyMembers(schema);
}

const emptyMembers = oncePerObject((schema: ValueSchema): JsonObject => {
  const result: JsonObject = {};
  for (const [key, inner] of Object.entries(schema.properties ?? {})) {
    if (isEmptyDefault(inner.default)) writeOwn(result, key, emptyMembers(inner));
    else if (isZero(inner.default)) writeOwn(result, key, inner.default);
  }
  return result;
});

const isZero = (value: JsonValue | undefined): value is JsonValue =>
  value === '' || value === 0 || value === false || value === null;

const isEmptyDefault = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0;
