import type { Random } from '@nodewright/runtime';
import { drawAnything, drawValue } from './draw-value.ts';
import type { DrawnSchema, SchemaTable } from './kinds.ts';
import { type Edit, edited, isMap, type Json, type JsonMap, type Place, placesIn, valueAt } from './step.ts';

/** The schema of the value at a place, as far as there is one. */
export function schemaAt(table: SchemaTable, root: DrawnSchema, at: Place): DrawnSchema {
  let schema = table.resolve(root);
  for (const part of at) schema = table.resolve(innerSchema(schema, part));
  return schema;
}

/** The schema of a member, or of an item. */
export function innerSchema(schema: DrawnSchema, part: string | number): DrawnSchema {
  if (typeof part === 'number') return schema.items ?? {};
  const { properties, additionalProperties } = schema;
  return properties?.[part] ?? (typeof additionalProperties === 'object' ? additionalProperties : {});
}

/** What stands at the top of an object and decides where it goes; mostly left alone. */
const identity = new Set(['apiVersion', 'kind', 'name', 'namespace', 'generateName', 'run']);
const serverMembers = new Set([
  'managedFields',
  'uid',
  'resourceVersion',
  'selfLink',
  'creationTimestamp',
  'generation',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]);

const isRemarkable = (place: Place, value: JsonMap): boolean =>
  !identity.has(String(place.at(-1))) && valueAt(value, place) !== undefined;

type Draw = (random: Random, value: JsonMap, context: DrawContext) => Edit | undefined;
type DrawContext = { readonly table: SchemaTable; readonly schema: DrawnSchema };

const pickPlace = (
  random: Random,
  value: JsonMap,
  wanted: (inner: Json | undefined, at: Place) => boolean,
): Place | undefined => {
  const places = placesIn(value).filter((at) => wanted(valueAt(value, at), at));
  return places.length === 0 ? undefined : random.pick(places);
};

/** Adds a member that the schema knows and the object does not have. */
const addMember: Draw = (random, value, { table, schema }) => {
  const at = pickPlace(
    random,
    value,
    (inner, place) => isMap(inner) && schemaAt(table, schema, place).properties !== undefined,
  );
  if (at === undefined) return undefined;
  const properties = schemaAt(table, schema, at).properties ?? {};
  const absent = Object.keys(properties).filter(
    (name) =>
      valueAt(value, [...at, name]) === undefined &&
      (name !== 'status' || random.next() < 0.2) &&
      !serverMembers.has(name),
  );
  if (absent.length === 0) return undefined;
  const name = random.pick(absent);
  return { at: [...at, name], value: drawValue(random, table, properties[name] ?? {}, name) };
};

/** Another value of the same type. */
const changeValue: Draw = (random, value, { table, schema }) => {
  const at = pickPlace(random, value, (_, place) => place.length > 0 && isRemarkable(place, value));
  if (at === undefined) return undefined;
  const name = at.findLast((part) => typeof part === 'string') ?? '';
  return { at, value: drawValue(random, table, schemaAt(table, schema, at), name) };
};

const changeType: Draw = (random, value) => {
  const at = pickPlace(
    random,
    value,
    (_, place) => place.length > 0 && (isRemarkable(place, value) || random.next() < 0.1),
  );
  return at && { at, value: drawAnything(random) };
};

const removeMember: Draw = (random, value) => {
  const at = pickPlace(random, value, (_, place) => place.length > 0 && isRemarkable(place, value));
  return at && { at };
};

const addElement: Draw = (random, value, { table, schema }) => {
  const at = pickPlace(random, value, (inner) => Array.isArray(inner));
  if (at === undefined) return undefined;
  const list = valueAt(value, at) as readonly Json[];
  const items = schemaAt(table, schema, at).items ?? {};
  const isCopy = list.length > 0 && random.next() < 0.4;
  const element = isCopy ? random.pick(list) : drawValue(random, table, items, String(at.at(-1)).replace(/s$/, ''));
  return { at: [...at, list.length], value: element };
};

const addUnknown: Draw = (random, value) => {
  const at = pickPlace(random, value, (inner) => isMap(inner));
  return at && { at: [...at, random.pick(['unknownMember', 'Spec', 'x'])], value: drawAnything(random) };
};

const metadataEdits: readonly Edit[] = [
  { at: ['metadata', 'labels', 'app'], value: 'web' },
  { at: ['metadata', 'labels', 'app'], value: 'not a label!' },
  { at: ['metadata', 'labels', 'bad key'], value: 'a' },
  { at: ['metadata', 'annotations', 'a'], value: 'b' },
  { at: ['metadata', 'annotations', 'a'], value: 1 },
  { at: ['metadata', 'annotations', 'Bad_/key'], value: 'b' },
  { at: ['metadata', 'finalizers'], value: ['example.com/a'] },
  { at: ['metadata', 'finalizers'], value: ['unqualified'] },
  { at: ['metadata', 'ownerReferences'], value: [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: 'u' }] },
  { at: ['metadata', 'ownerReferences'], value: [{ apiVersion: 'v1', kind: 'ConfigMap', name: '' }] },
  { at: ['metadata', 'namespace'], value: 'other' },
  { at: ['metadata', 'generation'], value: 7 },
  { at: ['metadata', 'resourceVersion'], value: '1' },
  { at: ['metadata', 'uid'], value: 'u' },
  { at: ['metadata', 'creationTimestamp'], value: null },
  { at: ['metadata', 'name'], value: 'Not_A_Name' },
  { at: ['metadata', 'name'], value: 'a'.repeat(254) },
  { at: ['apiVersion'], value: 'v9' },
  { at: ['kind'], value: 'Other' },
  { at: ['kind'] },
  { at: ['metadata'] },
];

const editMetadata: Draw = (random) => random.pick(metadataEdits);

const draws: readonly Draw[] = [
  addMember,
  addMember,
  addMember,
  addMember,
  changeValue,
  changeValue,
  changeType,
  removeMember,
  addElement,
  addUnknown,
  editMetadata,
];

/** Some changes of an object, one after another. */
export function drawEdits(random: Random, value: JsonMap, context: DrawContext, count: number): readonly Edit[] {
  const edits: Edit[] = [];
  let current: Json | undefined = value;
  for (let nth = 0; nth < count && isMap(current); nth += 1) {
    const edit = random.pick(draws)(random, current, context);
    if (edit === undefined) continue;
    edits.push(edit);
    current = edited(current, edit);
  }
  return edits;
}
