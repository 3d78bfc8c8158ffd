import { equal, isObject, type Json, type JsonObject, member } from '../schema/json.ts';
import { memberSchema, type StructuralSchema } from '../schema/structural.ts';
import { memberElement } from './field-path.ts';
import { FieldSet, stepInto } from './field-set.ts';
import { isGranular, type Part, partsOf } from './shape.ts';

/** How one object differs from another, field by field. */
export type Comparison = { readonly added: FieldSet; readonly modified: FieldSet; readonly removed: FieldSet };

/** Compares two objects of one schema. A container that is new counts itself, beside everything in it. */
export function compare(schema: StructuralSchema, before: Json, after: Json): Comparison {
  const found: Found = { added: new Set(), modified: new Set(), removed: new Set() };
  walk(schema, { before, after, path: '' }, found);
  return {
    added: FieldSet.ofTexts(found.added),
    modified: FieldSet.ofTexts(found.modified),
    removed: FieldSet.ofTexts(found.removed),
  };
}

export const isSame = ({ added, modified, removed }: Comparison): boolean =>
  added.isEmpty && modified.isEmpty && removed.isEmpty;

type Found = { readonly added: Set<string>; readonly modified: Set<string>; readonly removed: Set<string> };

type Pair = { readonly before: Json | undefined; readonly after: Json | undefined; readonly path: string };

/** Versions of an object share what did not change, so that most of them is passed by at a glance. */
function walk(schema: StructuralSchema | undefined, pair: Pair, found: Found): void {
  const { before, after, path } = pair;
  if (before === after) return;
  const isLeaf = !isGranular(schema, before ?? after) || !isGranular(schema, after ?? before);
  if (isLeaf && before !== undefined && after !== undefined && equal(before, after)) return;
  if (path !== '') note(pair, isLeaf, found);
  if (isLeaf) return;
  if (isObjectOrAbsent(before) && isObjectOrAbsent(after)) walkMembers(schema, { before, after, path }, found);
  else walkParts(schema, pair, found);
}

const isObjectOrAbsent = (value: Json | undefined): value is JsonObject | undefined =>
  value === undefined || isObject(value);

type Members = {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly path: string;
};

function walkMembers(schema: StructuralSchema | undefined, { before, after, path }: Members, found: Found): void {
  const inside = (key: string): void => {
    const pair = { before: member(before, key), after: member(after, key) };
    if (pair.before === pair.after) return;
    walk(memberSchema(schema, key), { ...pair, path: stepInto(path, memberElement(key)) }, found);
  };
  for (const key of Object.keys(before ?? {})) inside(key);
  for (const key of Object.keys(after ?? {})) if (before === undefined || !Object.hasOwn(before, key)) inside(key);
}

function walkParts(schema: StructuralSchema | undefined, { before, after, path }: Pair, found: Found): void {
  for (const [element, pair] of paired(partsOf(schema, before), partsOf(schema, after))) {
    const inner = pair.after ?? pair.before;
    walk(inner?.schema, { before: pair.before?.value, after: pair.after?.value, path: stepInto(path, element) }, found);
  }
}

function note({ before, after, path }: Pair, isLeaf: boolean, found: Found): void {
  if (before === undefined) found.added.add(path);
  else if (after === undefined) found.removed.add(path);
  else if (isLeaf) found.modified.add(path);
}

type PartPair = { readonly before?: Part; readonly after?: Part };

function paired(before: readonly Part[], after: readonly Part[]): Map<string, PartPair> {
  const pairs = new Map<string, PartPair>(before.map((part) => [part.element, { before: part }]));
  for (const part of after) pairs.set(part.element, { ...pairs.get(part.element), after: part });
  return pairs;
}
