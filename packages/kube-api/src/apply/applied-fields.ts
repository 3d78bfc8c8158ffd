import { isObject, type Json } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import type { FieldPath } from './field-path.ts';
import { FieldSet } from './field-set.ts';
import { isGranular, partsOf } from './shape.ts';

/** What a manager owns by applying a value: its leaves, its empty objects and the list items themselves. */
export function appliedFields(schema: StructuralSchema, value: Json): FieldSet {
  const paths: FieldPath[] = [];
  collect(schema, value, { path: [], paths });
  return FieldSet.of(paths);
}

type Collection = { readonly path: FieldPath; readonly paths: FieldPath[] };

function collect(schema: StructuralSchema | undefined, value: Json, { path, paths }: Collection): void {
  if (path.length > 0 && (!isGranular(schema, value) || isEmptyObject(value) || isItem(path))) paths.push(path);
  for (const part of partsOf(schema, value)) {
    collect(part.schema, part.value, { path: [...path, part.element], paths });
  }
}

const isItem = (path: FieldPath): boolean => path.at(-1)?.startsWith('f:') === false;

const isEmptyObject = (value: Json): boolean => isObject(value) && Object.keys(value).length === 0;
