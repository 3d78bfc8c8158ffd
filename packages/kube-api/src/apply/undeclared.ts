import { isObject, type Json } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { type FieldPath, itemElement, memberElement, printPath } from './field-path.ts';
import { isGranular } from './shape.ts';

/** Complaints about an applied object: members that its schema does not have, items that cannot be told apart. */
export function undeclaredFields(schema: StructuralSchema, value: Json): string[] {
  return complaints({ schema, value, path: [] });
}

type Visit = {
  readonly schema: StructuralSchema;
  readonly value: Json;
  readonly path: FieldPath;
};

function complaints({ schema, value, path }: Visit): string[] {
  if (Array.isArray(value)) return itemComplaints(schema, value, path);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const known = memberSchema(schema, key);
    const next = [...path, memberElement(key)];
    if (known !== undefined) return complaints({ schema: known, value: inner, path: next });
    const isAllowed = schema['x-kubernetes-preserve-unknown-fields'] === true;
    return isAllowed ? [] : [`${printPath(next)}: field not declared in schema`];
  });
}

function itemComplaints(schema: StructuralSchema, list: Json[], path: FieldPath): string[] {
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
      complaints({ schema: items, value: item, path: [...path, elements[index] ?? ''] }),
    ),
  ];
}
