import { innerSchema, schemaAt } from './draw-edits.ts';
import type { DrawOptions } from './draw-history.ts';
import { type EditedBody, editMember, identifyingMembers, memberName, withEdits } from './edit-member.ts';
import { valuesToTry } from './field-values.ts';
import type { DrawnSchema, SchemaTable, TestedKind } from './kinds.ts';
import { collectionOf, listObjectNames, objectOf } from './paths.ts';
import { type DrawnHistory, type Edit, type Json, type JsonMap, type Place, type Step, valueAt } from './step.ts';
import { listSubresourceBodies, type SubresourceBody } from './subresource-bodies.ts';

/** Deeper members are those of schemas inside themselves. */
const deepestMember = 16;

/** Values that are tried in one member. */
const mostFaults = 10;
const mostOwnFaults = 4;

/** One change of an object that a server takes, and the write by which it is tried. */
export type Fault = { readonly verb: string; readonly edit: Edit };

export type Walk = DrawnHistory & { readonly kind: TestedKind; readonly faults: readonly Fault[] };

/**
 * Histories that go through every member of every kind in order: after the object there are only writes that are not kept
 * (`dryRun=All`), each with one fault: a member of the object, of its status or of the body of a subresource that is set to
 * a value that may be refused, or is left out. Their names say the kind and the number: `ConfigMap-v1-3`.
 */
export function* walkMembers({ kinds, table, length }: DrawOptions): Generator<Walk> {
  for (const kind of kinds) {
    const all = listFaults(kind, table);
    for (let nth = 0; nth * length < all.length; nth += 1) {
      const faults = all.slice(nth * length, (nth + 1) * length);
      yield {
        seed: `${kind.kind}-${kind.apiVersion.replace('/', '-')}-${nth + 1}`,
        kind,
        faults,
        steps: listFaultSteps(kind, faults),
      };
    }
  }
}

/** The requests that try faults of a kind: first comes the object itself. */
export const listFaultSteps = (kind: TestedKind, faults: readonly Fault[]): readonly Step[] => [
  createKept(kind),
  ...faults.map((fault) => stepOfFault(kind, fault)),
];

function stepOfFault(kind: TestedKind, { verb, edit }: Fault): Step {
  if (verb === 'create') return createWith(kind, edit);
  if (verb === 'update' || verb === 'update status') return updateWith(kind, verb, edit);
  const found = listSubresourceBodies(kind).find(({ step }) => step.verb === verb);
  if (found === undefined) throw new Error(`${kind.kind} has no ${verb}`);
  const { step, object, below } = found;
  return step.current === undefined
    ? { ...step, body: withEdits(object, [edit]) }
    : { ...step, body: object, edits: [{ at: below, value: valueAt(object, below) }, edit] };
}

const baseName = (kind: TestedKind): string => listObjectNames(kind)[0] ?? 'a';

const baseObject = (kind: TestedKind): JsonMap => ({
  ...kind.objects[0],
  metadata: { name: baseName(kind), labels: { run: 'RUN' } },
});

const createKept = (kind: TestedKind): Step => ({
  verb: 'create',
  kind: kind.kind,
  method: 'POST',
  path: collectionOf(kind),
  contentType: 'application/json',
  body: baseObject(kind),
});

/** Every third change is tried in an update, too: which members may change shows there. */
function listFaults(kind: TestedKind, table: SchemaTable): readonly Fault[] {
  const body = { table, schema: table.of(kind), object: baseObject(kind) };
  const faults = listEdits(body, { at: [], isShared: hasSharedMembers(kind) }).flatMap(
    (edit, nth): readonly Fault[] => {
      if (edit.at[0] === 'status' && kind.subresources.includes('status')) return [{ verb: 'update status', edit }];
      if (isOnlyName(kind)) return [{ verb: 'update', edit }];
      const isUpdated = nth % 3 === 0 && kind.verbs.includes('update');
      return [{ verb: 'create', edit }, ...(isUpdated ? [{ verb: 'update', edit }] : [])];
    },
  );
  return [...faults, ...listSubresourceBodies(kind).flatMap((each) => listSubresourceFaults(each, table))];
}

/** Another object of the kind could not be created beside the first one. */
const isOnlyName = (kind: TestedKind): boolean =>
  listObjectNames(kind).length === 1 && kind.verbs.includes('update') && kind.verbs.includes('get');

function createWith(kind: TestedKind, edit: Edit): Step {
  const object = withEdits(baseObject(kind), [edit]);
  const free = listObjectNames(kind).find((other) => other !== baseName(kind));
  const isSame = valueAt(object, ['metadata', 'name']) === baseName(kind);
  return {
    ...createKept(kind),
    path: `${collectionOf(kind)}?dryRun=All`,
    body: free === undefined || !isSame ? object : withEdits(object, [{ at: ['metadata', 'name'], value: free }]),
  };
}

function updateWith(kind: TestedKind, verb: 'update' | 'update status', edit: Edit): Step {
  const path = objectOf(kind, baseName(kind));
  return {
    verb,
    kind: kind.kind,
    method: 'PUT',
    path: `${path}${verb === 'update' ? '' : '/status'}?dryRun=All`,
    contentType: 'application/json',
    current: path,
    body: baseObject(kind),
    edits: [edit],
  };
}

const listSubresourceFaults = (
  { step, schema, object, below }: SubresourceBody,
  table: SchemaTable,
): readonly Fault[] =>
  listEdits({ table, schema: table.of(schema), object }, { at: below, isShared: () => false }).map((edit) => ({
    verb: step.verb,
    edit,
  }));

/** Members that many kinds have in common are tried with every value in one of them alone. */
const hasSharedMembers = (kind: TestedKind): WalkStart['isShared'] =>
  kind.kind === 'Pod' ? () => false : (at) => ['metadata', 'template', 'jobTemplate'].includes(memberName(at));

type WalkStart = { readonly at: Place; readonly isShared: (at: Place) => boolean };

/** Every member below a place with every value to try, and with each member that is there left out. */
function listEdits(body: EditedBody, start: WalkStart): readonly Edit[] {
  const edits: Edit[] = [];
  for (const { at, schema, isShared } of walkSchema(body, start)) {
    const values = valuesToTry(body.table, schema, memberName(at));
    const tried = isShared ? [values[edits.length % values.length] ?? null] : someOf(values, edits.length);
    for (const value of tried) edits.push(editMember(body, at, value));
    if (valueAt(body.object, at) !== undefined) edits.push({ at });
  }
  return edits;
}

/** The first values are those of the member itself. Of the others, members of one type get different ones. */
function someOf(values: readonly Json[], nth: number): readonly Json[] {
  if (values.length <= mostFaults) return values;
  const [own, others] = [values.slice(0, mostOwnFaults), values.slice(mostOwnFaults)];
  const stride = Math.ceil(others.length / (mostFaults - mostOwnFaults));
  return [...own, ...others.filter((_, at) => at % stride === nth % stride)];
}

type WalkedMember = { readonly at: Place; readonly schema: DrawnSchema; readonly isShared: boolean };

function* walkSchema({ table, schema: root, object }: EditedBody, start: WalkStart): Generator<WalkedMember> {
  const schema = schemaAt(table, root, start.at);
  yield* walkBelow({ at: start.at, schema, isShared: false }, []);

  function* walkBelow(member: WalkedMember, above: readonly DrawnSchema[]): Generator<WalkedMember> {
    const { at } = member;
    const isInside = above.filter((other) => other === member.schema).length > 1;
    if (at.length > deepestMember || (isInside && member.schema.properties !== undefined)) return;
    if (at.length > 0) yield member;
    for (const part of listParts(member.schema, at, valueAt(object, at))) {
      const next = [...at, part];
      const isShared = member.isShared || start.isShared(next);
      const inner = table.resolve(innerSchema(member.schema, part));
      yield* walkBelow({ at: next, schema: inner, isShared }, [...above, member.schema]);
    }
  }
}

const isIdentifying = (at: Place, name: string): boolean =>
  identifyingMembers.has(name) && (at.length === 0 || (at.length === 1 && at[0] === 'metadata'));

function listParts(schema: DrawnSchema, at: Place, value: Json | undefined): Place {
  const { properties, items, additionalProperties } = schema;
  if (properties !== undefined) return Object.keys(properties).filter((name) => !isIdentifying(at, name));
  if (items !== undefined) return [0];
  if (typeof additionalProperties !== 'object') return [];
  return [Object.keys((value ?? {}) as JsonMap)[0] ?? 'a'];
}
