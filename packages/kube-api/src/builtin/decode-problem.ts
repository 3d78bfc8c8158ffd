import { isQuantity, readOwn } from '@nodewright/apis';
import { hasFormat } from '../schema/formats.ts';
import { isObject, type JsonValue } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { goTypeName } from '../schema/definitions.ts';
import { timeProblem } from './time-problem.ts';

/**
 * The first value that cannot be decoded into the types of its kind: a wrong type, quantity or time, in the words of
 * Go's decoder. Undefined when the object can be decoded.
 */
export function decodeProblem(schema: ValueSchema, object: JsonValue): string | undefined {
  return problemIn({ schema, value: object, struct: undefined });
}

type DecodedValue = {
  readonly schema: ValueSchema;
  readonly value: JsonValue;
  /** The type whose field is being read. */
  readonly struct: ValueSchema | undefined;
  /** The field of that type that contains the value, if any. */
  readonly field?: DecodedField;
};

type DecodedField = { readonly name: string; readonly around: DecodedField | undefined };

const fieldNames = (field: DecodedField | undefined): readonly string[] =>
  field === undefined ? [] : [...fieldNames(field.around), field.name];

function problemIn(visit: DecodedValue): string | undefined {
  const { schema, value } = visit;
  if (value !== null && goTypeName(schema) === 'v1.JSONSchemaPropsOrBool')
    return typeof value === 'boolean' || isObject(value) ? undefined : 'boolean or JSON schema expected';
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (schema.format === 'quantity') return quantityProblem(value);
  if (schema['x-kubernetes-int-or-string'] === true)
    return typeof value === 'string' || typeof value === 'number' ? undefined : typeMismatch(visit);
  // Bytes may be written as numbers, too.
  if (schema.format === 'byte' && Array.isArray(value) && value.every((each) => typeof each === 'number'))
    return undefined;
  if (!fitsType(schema, value)) return typeMismatch(visit);
  if (typeof value === 'string') return textProblem(schema, value);
  if (Array.isArray(value)) return itemsProblem(visit, value);
  return isObject(value) ? membersProblem(visit, value) : undefined;
}

function itemsProblem(visit: DecodedValue, list: readonly JsonValue[]): string | undefined {
  for (const item of list) {
    const problem = problemIn({ ...visit, schema: visit.schema.items ?? {}, value: item });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function membersProblem(visit: DecodedValue, value: { [key: string]: JsonValue }): string | undefined {
  const { schema, field } = visit;
  const isStruct = schema.properties !== undefined;
  const struct = isStruct ? schema : visit.struct;
  for (const key of Object.keys(value)) {
    const known = memberSchema(schema, key);
    const inner = readOwn(value, key) as JsonValue;
    if (known === undefined || isPlainText(known, inner)) continue;
    const inside = isStruct ? { name: key, around: field } : field;
    const problem = problemIn({ schema: known, value: inner, struct, ...(inside && { field: inside }) });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Most members are texts of any form. */
const isPlainText = ({ type, format }: ValueSchema, value: JsonValue): boolean =>
  typeof value === 'string' && type === 'string' && format === undefined;

function fitsInteger({ format }: ValueSchema, value: number): boolean {
  const bound = format === 'int64' ? 2 ** 63 : 2 ** 31;
  return Number.isInteger(value) && value >= -bound && value < bound;
}

function fitsType(schema: ValueSchema, value: JsonValue): boolean {
  const { type } = schema;
  switch (type) {
    case 'integer':
      return typeof value === 'number' && fitsInteger(schema, value);
    case 'number':
    case 'string':
    case 'boolean':
      return typeof value === type;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    default:
      return true;
  }
}

function typeMismatch({ schema, value, struct, field }: DecodedValue): string {
  const isNumber = typeof value === 'number' && (schema.type === 'integer' || schema.type === 'number');
  const found = isNumber ? `number ${value}` : goJsonKind(value);
  return `json: cannot unmarshal ${found} into Go struct field ${[structName(struct), ...fieldNames(field)].join('.')} of type ${goFieldType(schema)}`;
}

const structName = (struct: ValueSchema | undefined): string => (struct && goTypeName(struct)?.split('.').at(-1)) ?? '';

function goJsonKind(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function goFieldType(schema: ValueSchema): string {
  const { type, format, items, additionalProperties } = schema;
  if (type === 'array') return `[]${goFieldType(items ?? {})}`;
  if (type === 'integer') return format === 'int64' ? 'int64' : 'int32';
  if (type === 'boolean') return 'bool';
  if (type === 'number') return 'float64';
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map[string]${goFieldType(additionalProperties)}`;
  return goTypeName(schema) ?? type ?? 'interface {}';
}

const quantityPattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

const quantityProblem = (value: JsonValue): string | undefined =>
  isQuantity(value) ? undefined : `quantities must match the regular expression '${quantityPattern}'`;

function textProblem(schema: ValueSchema, value: string): string | undefined {
  if (schema.format === 'date-time') return timeProblem(value, goTypeName(schema) === 'v1.MicroTime');
  // Line breaks do not count.
  if (schema.format !== 'byte' || hasFormat('byte', value.replaceAll(/[\r\n]/g, ''))) return undefined;
  return `illegal base64 data at input byte ${firstBadByte(value)}`;
}

/** Where Go's decoder gives up: at a character that is none of base64, or where the last group of four begins. */
function firstBadByte(text: string): number {
  const start = /^(?:[A-Za-z0-9+/]{4})*/.exec(text)?.[0].length ?? 0;
  const bad = text.slice(start).search(/[^A-Za-z0-9+/]/);
  return bad < 0 ? start : start + bad;
}
