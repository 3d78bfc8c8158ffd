import { readOwn } from '@nodewright/apis';
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
  const unnamed = unnamedItem(schema, list);
  if (unnamed !== undefined) return [`${printPath(path)}: element ${unnamed}`];
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

/** The first item of a list of identified items that has no identity, and why. */
function unnamedItem(schema: ValueSchema, list: readonly JsonValue[]): string | undefined {
  const type = schema['x-kubernetes-list-type'];
  if (type !== 'map' && type !== 'set') return undefined;
  for (const [index, item] of list.entries()) {
    const problem = type === 'set' ? problemInSet(item) : problemInMap(schema, item);
    if (problem !== undefined) return `${index}: ${problem}`;
  }
  return undefined;
}

function problemInSet(item: JsonValue): string | undefined {
  if (item === null) return "associative list without keys has an element that's an explicit null";
  if (Array.isArray(item)) return 'not supported: associative list with lists as elements';
  return isObject(item) ? "associative list without keys has an element that's a map type" : undefined;
}

function problemInMap(schema: ValueSchema, item: JsonValue): string | undefined {
  if (item === null) return 'associative list with keys may not have a null element';
  if (!isObject(item)) return 'associative list with keys may not have non-map elements';
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const members = schema.items?.properties ?? {};
  const isNamed = keys.some((key) => Object.hasOwn(item, key) || readOwn(members, key)?.default !== undefined);
  return isNamed
    ? undefined
    : `associative list with keys has an element that omits all key fields [${keys.map((key) => JSON.stringify(key)).join(' ')}] (and doesn't have default values for any key fields)`;
}
