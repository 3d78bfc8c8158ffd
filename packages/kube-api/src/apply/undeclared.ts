import { isObject, type JsonValue } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { type FieldPath, itemElement, memberElement, printPath } from './field-path.ts';
import { isGranular } from './shape.ts';

/**
 * Lists the problems of an applied object: members that the schema does not declare, and items with the same identity.
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

function itemComplaints(schema: ValueSchema, list: JsonValue[], path: FieldPath): string[] {
  const { items } = schema;
  if (items === undefined) return [];
  const isIdentified = isGranular(schema, list);
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
