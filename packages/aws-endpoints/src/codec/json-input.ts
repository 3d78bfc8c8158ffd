import { readOwn, writeOwn } from '@nodewright/apis';
import { AwsError } from './aws-error.ts';
import { keyOf, mapValues, type JsonDialect } from './json-dialect.ts';
import { scalarFromText } from './scalar.ts';
import { membersOf, type Shape, type Structure } from './shape.ts';

/**
 * Reads a structure from the text of a body: timestamps become `Date`, blobs bytes. Unknown members are ignored.
 * @throws AwsError `SerializationException` for what is no JSON, or not of the shape
 */
export const structureFromText = (shape: Shape, text: string, dialect: JsonDialect): Structure =>
  structureFromJson(shape, text === '' ? {} : parse(text), dialect);

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new AwsError('SerializationException', 'The body of the request is not JSON.');
  }
}

function structureFromJson(shape: Shape, json: unknown, dialect: JsonDialect): Structure {
  const fields = objectIn(shape, json);
  const value: Record<string, unknown> = {};
  for (const [name, member] of membersOf(shape)) {
    const each = fromJson(member, readOwn(fields, keyOf(name, member, dialect)), dialect);
    if (each !== undefined) writeOwn(value, name, each);
  }
  return value;
}

function fromJson(shape: Shape, json: unknown, dialect: JsonDialect): unknown {
  if (json === null || json === undefined) return undefined;
  if (shape.isStructSchema()) return structureFromJson(shape, json, dialect);
  if (shape.isMapSchema()) {
    return mapValues(objectIn(shape, json), (value) => fromJson(shape.getValueSchema(), value, dialect));
  }
  if (!shape.isListSchema()) return scalarFromJson(shape, json);
  if (!Array.isArray(json)) throw unlike(shape, 'a list');
  return json.map((item) => fromJson(shape.getValueSchema(), item, dialect));
}

function scalarFromJson(shape: Shape, json: unknown): unknown {
  if (shape.isTimestampSchema() && typeof json === 'number') return new Date(json * 1000);
  if (shape.isTimestampSchema() || shape.isBlobSchema()) return scalarFromText(shape, textIn(shape, json));
  if (shape.isStringSchema()) return textIn(shape, json);
  if (shape.isNumericSchema() && typeof json !== 'number') throw unlike(shape, 'a number');
  if (shape.isBooleanSchema() && typeof json !== 'boolean') throw unlike(shape, 'true or false');
  return json;
}

function textIn(shape: Shape, json: unknown): string {
  if (typeof json !== 'string') throw unlike(shape, 'text');
  return json;
}

function objectIn(shape: Shape, json: unknown): Structure {
  if (typeof json !== 'object' || json === null || Array.isArray(json)) throw unlike(shape, 'an object');
  return json as Structure;
}

const unlike = (shape: Shape, wanted: string): AwsError =>
  new AwsError(
    'SerializationException',
    `${shape.isMemberSchema() ? shape.getMemberName() : 'The body'} must be ${wanted}.`,
  );
