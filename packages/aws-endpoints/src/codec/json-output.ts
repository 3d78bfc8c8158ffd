import { readOwn, writeOwn } from '@nodewright/apis';
import { keyOf, mapValues, type JsonDialect } from './json-dialect.ts';
import { membersOf, type Shape, type Structure } from './shape.ts';

/** Makes a value ready for `JSON.stringify`: timestamps become seconds since the epoch, blobs base64. */
export function toJson(shape: Shape, value: unknown, dialect: JsonDialect): unknown {
  if (value === null || value === undefined) return undefined;
  if (shape.isStructSchema()) return structureToJson(shape, value as Structure, dialect);
  if (shape.isListSchema())
    return (value as readonly unknown[]).map((item) => toJson(shape.getValueSchema(), item, dialect));
  if (shape.isMapSchema())
    return mapValues(value as Structure, (item) => toJson(shape.getValueSchema(), item, dialect));
  if (value instanceof Date) return value.getTime() / 1000;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return value;
}

function structureToJson(shape: Shape, value: Structure, dialect: JsonDialect): Structure {
  const json: Record<string, unknown> = {};
  for (const [name, member] of membersOf(shape)) {
    const each = toJson(member, readOwn(value, name), dialect);
    if (each !== undefined) writeOwn(json, keyOf(name, member, dialect), each);
  }
  return json;
}
