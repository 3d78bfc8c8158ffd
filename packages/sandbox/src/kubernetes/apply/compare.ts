import { equal, type Json } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';
import type { FieldPath } from './field-path.ts';
import { FieldSet } from './field-set.ts';
import { isGranular, type Part, partsOf } from './shape.ts';

/** How one object differs from another, field by field. */
export type Comparison = { readonly added: FieldSet; readonly modified: FieldSet; readonly removed: FieldSet };

/** Compares two objects of one schema. A container that is new counts itself, beside everything in it. */
export function compare(schema: StructuralSchema, before: Json, after: Json): Comparison {
  const found: Found = { added: [], modified: [], removed: [] };
  walk({ schema, before, after, path: [] }, found);
  return {
    added: FieldSet.of(found.added),
    modified: FieldSet.of(found.modified),
    removed: FieldSet.of(found.removed),
  };
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  added.isEmpty && modified.isEmpty && removed.isEmpty;

type Found = { readonly added: FieldPath[]; readonly modified: FieldPath[]; readonly removed: FieldPath[] };

type Pair = {
  readonly schema: StructuralSchema | undefined;
  readonly before: Json | undefined;
  readonly after: Json | undefined;
  readonly path: FieldPath;
};

function walk({ schema, before, after, path }: Pair, found: Found): void {
  if (before !== undefined && after !== undefined && equal(before, after)) return;
  const isLeaf = !isGranular(schema, before ?? after) || !isGranular(schema, after ?? before);
  if (path.length > 0) note({ before, after, path, isLeaf }, found);
  if (isLeaf) return;
  for (const [element, pair] of paired(partsOf(schema, before), partsOf(schema, after))) {
    const inner = pair.after ?? pair.before;
    walk(
      { schema: inner?.schema, before: pair.before?.value, after: pair.after?.value, path: [...path, element] },
      found,
    );
  }
}

type Difference = Omit<Pair, 'schema'> & { readonly isLeaf: boolean };

function note({ before, after, path, isLeaf }: Difference, found: Found): void {
  if (before === undefined) found.added.push(path);
  else if (after === undefined) found.removed.push(path);
  else if (isLeaf) found.modified.push(path);
}

type PartPair = { readonly before?: Part; readonly after?: Part };

function paired(before: readonly Part[], after: readonly Part[]): Map<string, PartPair> {
  const pairs = new Map<string, PartPair>(before.map((part) => [part.element, { before: part }]));
  for (const part of after) pairs.set(part.element, { ...pairs.get(part.element), after: part });
  return pairs;
}
