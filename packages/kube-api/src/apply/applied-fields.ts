import { isObject, type JsonValue } from '../schema/json.ts';
import type { ValueSchema } from '../schema/structural.ts';
import type { FieldPath } from './field-path.ts';
import { FieldSet } from './field-set.ts';
import { isGranular, listParts } from './shape.ts';

/** Lists the fields that a manager owns after it applies a value: leaves, empty objects and list items. */
export function appliedFields(schema: ValueSchema, value: JsonValue): FieldSet {
  const paths: FieldPath[] = [];
  collectFields(schema, value, { path: [], paths });
  return FieldSet.of(paths);
}

type FieldCollection = { readonly path: FieldPath; readonly paths: FieldPath[] };

function collectFields(schema: ValueSchema | undefined, value: JsonValue, { path, paths }: FieldCollection): void {
  if (path.length > 0 && (!isGranular(schema, value) || isEmptyJsonObject(value) || isListItemPath(path)))
    paths.push(path);
  for (const part of listParts(schema, value)) {
    collectFields(part.schema, part.value, { path: [...path, part.element], paths });
  }
}

const isListItemPath = (path: FieldPath): boolean => path.at(-1)?.startsWith('f:') === false;

const isEmptyJsonObject = (value: JsonValue): boolean => isObject(value) && Object.keys(value).length === 0;
