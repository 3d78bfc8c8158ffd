import { isObject, type JsonValue } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { type FieldPath, itemElement, memberElement, printPath } from './field-path.ts';
import { goText } from '../schema/go-text.ts';
import { isGranular } from './shape.ts';

/**
 * Lists the problems of an applied object: values of another type, members that the schema does not declare, and items
 * with the same identity.
 */
export function undeclaredFields(schema: ValueSchema, value: JsonValue): string[] {
  return listUndeclared({ schema, value, path: [] });
}

type UndeclaredVisit = {
  readonly schema: ValueSchema;
  readonly value: JsonValue;
  readonly path: FieldPath;
};

function listUndeclared({ schema, value, path }: UndeclaredVisit): string[] {
  const expected = otherTypeExpected(schema, value);
  if (expected !== undefined) return [`${printPath(path)}: expected ${expected}, got ${printUnstructured(value)}`];
  if (Array.isArray(value)) return itemComplaints(schema, value, path);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = memberSchema(schema, key);
    const next = [...path, memberElement(key)];
    if (known !== undefined) return listUndeclared({ schema: known, value: inner, path: next });
    const isAllowed = schema['x-kubernetes-preserve-unknown-fields'] === true;
    return isAllowed ? [] : [`${printPath(next)}: field not declared in schema`];
  });
}

/** The type that a value should have. A null and a value without a type of its own are anything. */
function otherTypeExpected(schema: ValueSchema, value: JsonValue): string | undefined {
  if (value === null || schema['x-kubernetes-preserve-unknown-fields'] === true) return undefined;
  if (schema['x-kubernetes-int-or-string'] === true) return typeof value === 'object' ? 'scalar' : undefined;
  switch (schema.type) {
    case 'object':
      return isObject(value) ? undefined : 'map';
    case 'array':
      // Bytes are a text.
      return Array.isArray(value) || schema.format === 'byte' ? undefined : 'list';
    case 'string':
      return typeof value === 'string' ? undefined : 'string';
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'boolean';
    case 'integer':
    case 'number':
      return typeof value === 'number' ? undefined : 'numeric (int or float)';
    default:
      return undefined;
  }
}

/** A value as Go prints it. */
const printUnstructured = (value: JsonValue): string => `&value.valueUnstructured{Value:${goText(value)}}`;

function itemComplaints(schema: ValueSchema, list: JsonValue[], path: FieldPath): string[] {
  const { items } = schema;
  if (items === undefined) return [];
  const isIdentified = isGranular(schema, list);
  if (schema['x-kubernetes-list-type'] === 'map' && list.some((item) => !isObject(item))) {
    const index = list.findIndex((item) => !isObject(item));
    return [`${printPath(path)}: element ${index}: associative list with keys may not have non-map elements`];
  }
  const elements = list.map((item, index) => (isIdentified ? itemElement(schema, item) : `f:${index}`));
  const seen = new Set<string>();
  const repeated = elements.filter((element) => {
    const isRepeated = seen.has(element);
    seen.add(element);
    return isRepeated;
  });
  return [
    ...repeated.map((element) => `${printPath(path)}: duplicate entries for key ${printPath([element])}`),
    ...list.flatMap((item, index) =>
      listUndeclared({ schema: items, value: item, path: [...path, elements[index] ?? ''] }),
    ),
  ];
}
