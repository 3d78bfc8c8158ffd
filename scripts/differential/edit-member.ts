import { innerSchema, schemaAt } from './draw-edits.ts';
import { goodValue } from './field-values.ts';
import type { DrawnSchema, SchemaTable } from './kinds.ts';
import { type Edit, edited, type Json, type JsonMap, type Place, valueAt } from './step.ts';

/** Of an object or of another body: what it is, and its schema. */
export type EditedBody = { readonly table: SchemaTable; readonly schema: DrawnSchema; readonly object: JsonMap };

export const memberName = (at: Place): string => at.findLast((part) => typeof part === 'string') ?? '';

/** The edit of a member. What it stands in is made with it where it is absent, with what the schema requires there. */
export function editMember({ table, schema: root, object }: EditedBody, at: Place, value: Json): Edit {
  const known = at.findIndex((_, depth) => valueAt(object, at.slice(0, depth + 1)) === undefined);
  if (known === -1 || known === at.length - 1) return { at, value };
  let [schema, whole]: [DrawnSchema, Json] = [schemaAt(table, root, at.slice(0, known + 1)), {}];
  whole = goodValue(table, schema, memberName(at.slice(0, known + 1)));
  const below = at.slice(known + 1);
  for (const [nth, part] of below.slice(0, -1).entries()) {
    schema = table.resolve(innerSchema(schema, part));
    const place = below.slice(0, nth + 1);
    if (valueAt(whole, place) === undefined)
      whole = edited(whole, { at: place, value: goodValue(table, schema, memberName(place)) }) ?? {};
  }
  return { at: at.slice(0, known + 1), value: edited(whole, { at: below, value }) ?? null };
}

/** What says which object it is; another one would be written. */
export const identifyingMembers: ReadonlySet<string> = new Set([
  'apiVersion',
  'kind',
  'name',
  'namespace',
  'generateName',
  'managedFields',
]);

export const withEdits = (object: JsonMap, edits: readonly Edit[]): JsonMap =>
  edits.reduce<Json | undefined>(edited, object) as JsonMap;
