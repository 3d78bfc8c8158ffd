import { type Random, seededRandom } from '@nodewright/runtime';
import { drawEdits } from './draw-edits.ts';
import { drawRead } from './draw-reads.ts';
import { drawSubresource } from './draw-subresources.ts';
import type { SchemaTable, TestedKind } from './kinds.ts';
import { collectionOf, objectName, objectOf } from './paths.ts';
import { type DrawnHistory, edited, isMap, type Json, type JsonMap, type Step } from './step.ts';

export type DrawOptions = {
  readonly kinds: readonly TestedKind[];
  readonly table: SchemaTable;
  /** Steps of a history. */
  readonly length: number;
};

/** The history of a seed: some kinds, and requests that read and write a few objects of them. */
export function drawHistory(seed: string, { kinds, table, length }: DrawOptions): DrawnHistory {
  const random = seededRandom(seed);
  const chosen = Array.from({ length: 1 + random.integer(3) }, () => random.pick(kinds));
  const drawer = new Drawer(random, table);
  const steps: Step[] = [];
  for (const kind of chosen) steps.push(drawer.create(kind));
  while (steps.length < length) steps.push(drawer.step(random.pick(chosen)));
  return { seed, steps };
}

type Way = 'create' | 'update' | 'patch' | 'apply' | 'delete' | 'read' | 'subresource';

const ways: readonly (readonly [Way, number])[] = [
  ['create', 22],
  ['update', 14],
  ['patch', 20],
  ['apply', 10],
  ['delete', 8],
  ['read', 18],
  ['subresource', 12],
];

const wayOf = (random: Random): Way => {
  let left = random.integer(ways.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [way, weight] of ways) {
    left -= weight;
    if (left < 0) return way;
  }
  return 'create';
};

class Drawer {
  readonly #random: Random;
  readonly #table: SchemaTable;
  /** What was sent last for an object, by path. */
  readonly #sent = new Map<string, JsonMap>();

  constructor(random: Random, table: SchemaTable) {
    this.#random = random;
    this.#table = table;
  }

  step(kind: TestedKind): Step {
    const way = wayOf(this.#random);
    if (!kind.verbs.includes('get')) return this.create(kind);
    switch (way) {
      case 'create':
        return this.create(kind);
      case 'update':
        return this.#update(kind);
      case 'patch':
        return this.#patch(kind);
      case 'apply':
        return this.#apply(kind);
      case 'delete':
        return this.#delete(kind);
      case 'read':
        return drawRead(this.#random, kind);
      case 'subresource':
        return drawSubresource(this.#random, this.#table, kind) ?? this.create(kind);
    }
  }

  /** An object of the kind, changed a little half of the time. */
  #object(kind: TestedKind): JsonMap {
    const random = this.#random;
    const metadata: JsonMap = { name: objectName(random, kind), labels: { run: 'RUN' } };
    const plain = { ...random.pick(kind.objects), metadata };
    const edits = drawEdits(random, plain, this.#context(kind), random.pick([0, 0, 1, 1, 1, 2]));
    return edits.reduce<Json | undefined>(edited, plain) as JsonMap;
  }

  #context(kind: TestedKind) {
    return { table: this.#table, schema: this.#table.of(kind) };
  }

  #writeQuery(more: readonly string[] = []): string {
    const random = this.#random;
    const parts = [
      ...more,
      ...(random.next() < 0.3 ? [`fieldValidation=${random.pick(['Strict', 'Warn', 'Ignore', 'Odd'])}`] : []),
      ...(random.next() < 0.15 ? [`dryRun=${random.pick(['All', 'All', 'Some'])}`] : []),
      ...(random.next() < 0.2 ? [`fieldManager=${random.pick(['me', 'you', 'a'.repeat(129)])}`] : []),
    ];
    return parts.length === 0 ? '' : `?${parts.join('&')}`;
  }

  create(kind: TestedKind): Step {
    const random = this.#random;
    const body = this.#object(kind);
    const name = nameIn(body);
    if (name !== undefined) this.#sent.set(objectOf(kind, name), body);
    const generated = edited(edited(body, { at: ['metadata', 'name'] }), { at: ['metadata', 'generateName'], value: 'g-' });
    const isGenerated = random.next() < 0.05;
    return {
      verb: 'create',
      kind: kind.kind,
      method: 'POST',
      path: `${collectionOf(kind)}${this.#writeQuery()}`,
      contentType: 'application/json',
      body: isGenerated && generated !== undefined ? generated : body,
      ...(random.next() < 0.03 && { repeated: { name: random.pick(Object.keys(body).concat('kind')), value: 'x' } }),
    };
  }

  #update(kind: TestedKind): Step {
    const random = this.#random;
    const name = objectName(random, kind);
    const path = objectOf(kind, name);
    const known = this.#sent.get(path) ?? this.#object(kind);
    const base = { verb: 'update', kind: kind.kind, method: 'PUT', contentType: 'application/json' };
    const sent = { ...base, path: `${path}${this.#writeQuery()}` };
    if (random.next() < 0.15) return { ...sent, body: this.#object(kind) };
    const edits = drawEdits(random, known, this.#context(kind), random.pick([0, 1, 1, 2]));
    const version = random.next() < 0.1 ? [{ at: ['metadata', 'resourceVersion'], ...random.pick([{}, { value: '1' }]) }] : [];
    return { ...sent, current: path, body: known, edits: [...edits, ...version] };
  }

  #patch(kind: TestedKind): Step {
    const random = this.#random;
    const path = objectOf(kind, objectName(random, kind));
    const known = this.#sent.get(path) ?? this.#object(kind);
    const edits = drawEdits(random, known, this.#context(kind), random.pick([1, 1, 2]));
    const form = random.pick(['json', 'merge', 'strategic-merge'] as const);
    return {
      verb: `patch ${form}`,
      kind: kind.kind,
      method: 'PATCH',
      path: `${path}${this.#writeQuery()}`,
      contentType: `application/${form}-patch+json`,
      body: form === 'json' ? jsonPatchOf(random, edits) : mergePatchOf(known, edits),
    };
  }

  #apply(kind: TestedKind): Step {
    const random = this.#random;
    const body = this.#object(kind);
    const name = nameIn(body) ?? 'a';
    const manager = random.pick(['one', 'one', 'two', '']);
    const force = random.next() < 0.4 ? [`force=${random.pick(['true', 'true', 'false', 'x'])}`] : [];
    return {
      verb: 'apply',
      kind: kind.kind,
      method: 'PATCH',
      path: `${objectOf(kind, random.next() < 0.9 ? name : 'a')}${this.#applyQuery(manager, force)}`,
      contentType: 'application/apply-patch+yaml',
      body,
    };
  }

  #applyQuery(manager: string, force: readonly string[]): string {
    const random = this.#random;
    const dryRun = random.next() < 0.1 ? ['dryRun=All'] : [];
    return `?${[...(manager === '' ? [] : [`fieldManager=${manager}`]), ...force, ...dryRun].join('&')}`;
  }

  #delete(kind: TestedKind): Step {
    const random = this.#random;
    const options = deleteOptions(random);
    const isCollection = random.next() < 0.2 && kind.verbs.includes('deletecollection');
    const selector = 'labelSelector=run%3DRUN';
    return {
      verb: isCollection ? 'deletecollection' : 'delete',
      kind: kind.kind,
      method: 'DELETE',
      path: isCollection ? `${collectionOf(kind)}?${selector}` : objectOf(kind, objectName(random, kind)),
      contentType: 'application/json',
      ...(options !== undefined && { body: options }),
    };
  }
}

const nameIn = (object: JsonMap): string | undefined => {
  const metadata = object['metadata'];
  const name = isMap(metadata) ? metadata['name'] : undefined;
  return typeof name === 'string' && /^[a-zA-Z0-9.:-]+$/.test(name) ? name : undefined;
};

function deleteOptions(random: Random): Json | undefined {
  if (random.next() < 0.4) return undefined;
  const options: readonly JsonMap[] = [
    { gracePeriodSeconds: 0 },
    { gracePeriodSeconds: -1 },
    { gracePeriodSeconds: 5 },
    { propagationPolicy: 'Foreground' },
    { propagationPolicy: 'Orphan' },
    { propagationPolicy: 'Background' },
    { propagationPolicy: 'Odd' },
    { orphanDependents: true },
    { orphanDependents: true, propagationPolicy: 'Orphan' },
    { preconditions: { uid: 'other' } },
    { preconditions: { resourceVersion: '1' } },
    { dryRun: ['All'] },
    { dryRun: ['Some'] },
    { unknownMember: 1 },
    { gracePeriodSeconds: 'x' },
    { apiVersion: 'v9', kind: 'DeleteOptions' },
    { apiVersion: 'v1', kind: 'Pod' },
  ];
  return random.pick(options);
}

const pointerTo = (at: readonly (string | number)[]): string =>
  at.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

function jsonPatchOf(random: Random, edits: Step['edits'] = []): Json {
  return edits.map(({ at, value }) => {
    const path = pointerTo(at);
    if (value === undefined) return { op: 'remove', path };
    const op = random.pick(['add', 'add', 'replace', 'test']);
    if (random.next() < 0.05) return { op: random.pick(['move', 'copy']), from: '/metadata/labels', path };
    return { op, path: random.next() < 0.03 ? path.slice(1) : path, value };
  }) as Json;
}

/** A list is written as a whole, as a client without knowledge of its keys does. */
function mergePatchOf(known: JsonMap, edits: Step['edits'] = []): Json {
  let patch: Json = {};
  let current: Json = known;
  for (const edit of edits) {
    current = edited(current, edit) ?? {};
    const list = edit.at.findIndex((part) => typeof part === 'number');
    const at = list === -1 ? edit.at : edit.at.slice(0, list);
    const value = list === -1 ? (edit.value ?? null) : at.reduce<Json>((inner, part) => readPart(inner, part), current);
    patch = edited(patch, { at, value }) ?? {};
  }
  return patch;
}

const readPart = (value: Json, part: string | number): Json =>
  (isMap(value) && Object.hasOwn(value, part) ? value[part] : null) ?? null;
