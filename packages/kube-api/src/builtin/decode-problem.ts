import { isQuantity, readOwn } from '@nodewright/apis';
import { hasFormat } from '../schema/formats.ts';
import { isObject, type Json } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { goTypeName } from './definitions.ts';
import { timeProblem } from './time-problem.ts';

/**
 * Why a server that reads an object into the types of its kind cannot: the first value of a wrong type, quantity or
 * time, in the words of Go's decoder. Nothing when it can.
 */
export function decodeProblem(schema: StructuralSchema, object: Json): string | undefined {
  return problemIn({ schema, value: object, struct: undefined });
}

type Visit = {
  readonly schema: StructuralSchema;
  readonly value: Json;
  /** The type whose field is being read. */
  readonly struct: StructuralSchema | undefined;
  /** The field of that type, if it is inside of one. */
  readonly field?: Field;
};

type Field = { readonly name: string; readonly around: Field | undefined };

const namesOf = (field: Field | undefined): readonly string[] =>
  field === undefined ? [] : [...namesOf(field.around), field.name];

function problemIn(visit: Visit): string | undefined {
  const { schema, value } = visit;
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (schema.format === 'quantity') return quantityProblem(value);
  if (schema['x-kubernetes-int-or-string'] === true) return undefined;
  if (!fits(schema, value)) return mismatch(visit);
  if (typeof value === 'string') return textProblem(schema, value);
  if (Array.isArray(value)) return itemsProblem(visit, value);
  return isObject(value) ? membersProblem(visit, value) : undefined;
}

function itemsProblem(visit: Visit, list: readonly Json[]): string | undefined {
  for (const item of list) {
    const problem = problemIn({ ...visit, schema: visit.schema.items ?? {}, value: item });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function membersProblem(visit: Visit, value: { [key: string]: Json }): string | undefined {
  const { schema, field } = visit;
  const isStruct = schema.properties !== undefined;
  const struct = isStruct ? schema : visit.struct;
  for (const key of Object.keys(value)) {
    const known = memberSchema(schema, key);
    if (known === undefined) continue;
    const inside = isStruct ? { name: key, around: field } : field;
    const problem = problemIn({
      schema: known,
      value: readOwn(value, key) as Json,
      struct,
      ...(inside && { field: inside }),
    });
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function fits({ type }: StructuralSchema, value: Json): boolean {
  switch (type) {
    case 'integer':
      return typeof value === 'number' && Number.isInteger(value);
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

function mismatch({ schema, value, struct, field }: Visit): string {
  const found = typeof value === 'number' && !Number.isInteger(value) ? `number ${value}` : goKind(value);
  return `json: cannot unmarshal ${found} into Go struct field ${[structName(struct), ...namesOf(field)].join('.')} of type ${goType(schema)}`;
}

const structName = (struct: StructuralSchema | undefined): string =>
  (struct && goTypeName(struct)?.split('.').at(-1)) ?? '';

function goKind(value: Json): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function goType(schema: StructuralSchema): string {
  const { type, format, items, additionalProperties } = schema;
  if (type === 'array') return `[]${goType(items ?? {})}`;
  if (type === 'integer') return format === 'int64' ? 'int64' : 'int32';
  if (type === 'boolean') return 'bool';
  if (type === 'number') return 'float64';
  if (type === 'object' && typeof additionalProperties === 'object')
    return `map[string]${goType(additionalProperties)}`;
  return goTypeName(schema) ?? type ?? 'interface {}';
}

const quantityPattern = '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$';

const quantityProblem = (value: Json): string | undefined =>
  isQuantity(value) ? undefined : `quantities must match the regular expression '${quantityPattern}'`;

function textProblem(schema: StructuralSchema, value: string): string | undefined {
  if (schema.format === 'date-time') return timeProblem(value, goTypeName(schema) === 'v1.MicroTime');
  if (schema.format !== 'byte' || hasFormat('byte', value)) return undefined;
  return `illegal base64 data at input byte ${/^(?:[A-Za-z0-9+/]{4})*[A-Za-z0-9+/]*/.exec(value)?.[0].length ?? 0}`;
}
