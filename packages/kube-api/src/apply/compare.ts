import { isEqualJson, isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import { memberSchema, type ValueSchema } from '../schema/structural.ts';
import { memberElement } from './field-path.ts';
import { FieldSet, stepInto } from './field-set.ts';
import { isGranular, type ValuePart, listParts } from './shape.ts';

/** The fields in which two objects differ. */
export type Comparison = { readonly added: FieldSet; readonly modified: FieldSet; readonly removed: FieldSet };

/** Compares two objects of one schema. A new container counts as added, and so does everything in it. */
export function compareFields(schema: ValueSchema, before: JsonValue, after: JsonValue): Comparison {
  const found: FieldDifferences = { added: new Set(), modified: new Set(), removed: new Set() };
  compareValues(schema, { before, after, path: '' }, found);
  return {
    added: FieldSet.ofTexts(found.added),
    modified: FieldSet.ofTexts(found.modified),
    removed: FieldSet.ofTexts(found.removed),
  };
}

export const isSameObject = ({ added, modified, removed }: Comparison): boolean =>
  added.isEmpty && modified.isEmpty && removed.isEmpty;

type FieldDifferences = { readonly added: Set<string>; readonly modified: Set<string>; readonly removed: Set<string> };

type ComparedValues = {
  readonly before: JsonValue | undefined;
  readonly after: JsonValue | undefined;
  readonly path: string;
};

/** Versions of an object share their unchanged parts, so the identity check skips most of the object. */
function compareValues(schema: ValueSchema | undefined, pair: ComparedValues, found: FieldDifferences): void {
  const { before, after, path } = pair;
  if (before === after) return;
  const isLeaf =
    !isGranular(schema, before ?? after) ||
    !isGranular(schema, after ?? before) ||
    (holdsNothing(before) && holdsNothing(after));
  if (isLeaf && before !== undefined && after !== undefined && isEqualJson(before, after)) return;
  if (path !== '') recordDifference(pair, isLeaf, found);
  if (isLeaf) return;
  if (isObjectOrAbsent(before) && isObjectOrAbsent(after)) walkMembers(schema, { before, after, path }, found);
  else walkParts(schema, pair, found);
}

/** A null, an empty list or an empty map is owned as a whole. */
const holdsNothing = (value: JsonValue | undefined): boolean =>
  value === null || (typeof value === 'object' && Object.keys(value).length === 0);

const isObjectOrAbsent = (value: JsonValue | undefined): value is JsonObject | undefined =>
  value === undefined || isObject(value);

type ComparedMembers = {
  readonly before: JsonObject | undefined;
  readonly after: JsonObject | undefined;
  readonly path: string;
};

function walkMembers(
  schema: ValueSchema | undefined,
  { before, after, path }: ComparedMembers,
  found: FieldDifferences,
): void {
  const inside = (key: string): void => {
    const pair = { before: memberOf(before, key), after: memberOf(after, key) };
    if (pair.before === pair.after) return;
    compareValues(memberSchema(schema, key), { ...pair, path: stepInto(path, memberElement(key)) }, found);
  };
  for (const key of Object.keys(before ?? {})) inside(key);
  for (const key of Object.keys(after ?? {})) if (before === undefined || !Object.hasOwn(before, key)) inside(key);
}

function walkParts(
  schema: ValueSchema | undefined,
  { before, after, path }: ComparedValues,
  found: FieldDifferences,
): void {
  const [parts, next] = [listParts(schema, before), listParts(schema, after)];
  const repeated = new Set([...repeatedElements(parts), ...repeatedElements(next)]);
  for (const [element, pair] of pairParts(parts, next)) {
    // Items with the same keys are owned as one, and their members have no owner.
    if (repeated.has(element)) {
      recordDifference(
        { before: pair.before?.value, after: pair.after?.value, path: stepInto(path, element) },
        true,
        found,
      );
      continue;
    }
    const inner = pair.after ?? pair.before;
    compareValues(
      inner?.schema,
      { before: pair.before?.value, after: pair.after?.value, path: stepInto(path, element) },
      found,
    );
  }
}

function recordDifference({ before, after, path }: ComparedValues, isLeaf: boolean, found: FieldDifferences): void {
  if (before === undefined) found.added.add(path);
  else if (after === undefined) found.removed.add(path);
  else if (isLeaf) found.modified.add(path);
}

function repeatedElements(parts: readonly ValuePart[]): readonly string[] {
  const seen = new Set<string>();
  return parts.flatMap(({ element }) => {
    const isRepeated = seen.has(element);
    seen.add(element);
    return isRepeated ? [element] : [];
  });
}

type PartPair = { readonly before?: ValuePart; readonly after?: ValuePart };

function pairParts(before: readonly ValuePart[], after: readonly ValuePart[]): Map<string, PartPair> {
  const pairs = new Map<string, PartPair>(before.map((part) => [part.element, { before: part }]));
  for (const part of after) pairs.set(part.element, { ...pairs.get(part.element), after: part });
  return pairs;
}
