import { scalarFromText } from './scalar.ts';
import { membersOf, textTrait, type Shape, type Structure } from './shape.ts';

/** REST services may rename members in JSON; the target-header protocols do not. */
export type JsonDialect = 'awsJson' | 'restJson';

const keyOf = (name: string, member: Shape, dialect: JsonDialect): string =>
  dialect === 'restJson' ? (textTrait(member, 'jsonName') ?? name) : name;

/** Reads a value from parsed JSON: timestamps become `Date`, blobs bytes. Unknown members are ignored. */
export function fromJson(shape: Shape, json: unknown, dialect: JsonDialect): unknown {
  if (json === null || json === undefined) return undefined;
  if (shape.isStructSchema()) return structureFromJson(shape, json as Structure, dialect);
  if (shape.isListSchema())
    return (json as readonly unknown[]).map((item) => fromJson(shape.getValueSchema(), item, dialect));
  if (shape.isMapSchema())
    return mapValues(json as Structure, (value) => fromJson(shape.getValueSchema(), value, dialect));
  return scalarFromJson(shape, json);
}

function scalarFromJson(shape: Shape, json: unknown): unknown {
  if (typeof json === 'number') return shape.isTimestampSchema() ? new Date(json * 1000) : json;
  return typeof json === 'string' && (shape.isTimestampSchema() || shape.isBlobSchema())
    ? scalarFromText(shape, json)
    : json;
}

export function structureFromJson(shape: Shape, json: Structure, dialect: JsonDialect): Structure {
  const value: Record<string, unknown> = {};
  for (const [name, member] of membersOf(shape)) {
    const each = fromJson(member, json[keyOf(name, member, dialect)], dialect);
    if (each !== undefined) value[name] = each;
  }
  return value;
}

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
    const each = toJson(member, value[name], dialect);
    if (each !== undefined) json[keyOf(name, member, dialect)] = each;
  }
  return json;
}

const mapValues = (map: Structure, change: (value: unknown) => unknown): Structure =>
  Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(value)]));
