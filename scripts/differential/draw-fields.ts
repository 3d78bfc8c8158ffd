import { type Random, seededRandom } from '@nodewright/runtime';
import { innerSchema } from './draw-edits.ts';
import type { DrawOptions } from './draw-history.ts';
import { editMember, identifyingMembers, memberName, withEdits } from './edit-member.ts';
import { valuesToTry } from './field-values.ts';
import type { DrawnSchema, SchemaTable, TestedKind } from './kinds.ts';
import { collectionOf, listObjectNames, objectOf } from './paths.ts';
import { type DrawnHistory, type Edit, edited, isMap, type Json, type JsonMap, type Step, valueAt } from './step.ts';

/**
 * The history of a seed that goes through the members of one kind: after the object there are only writes that are not kept
 * (`dryRun=All`), each with one member of the schema set to a value that it may refuse.
 */
export function drawFieldHistory(seed: string, { kinds, table, length }: DrawOptions): DrawnHistory {
  const random = seededRandom(seed);
  const kind = random.pick(kinds);
  const name = listObjectNames(kind)[0] ?? 'a';
  const object: JsonMap = { ...random.pick(kind.objects), metadata: { name, labels: { run: 'RUN' } } };
  const drawer = new FieldDrawer(random, { kind, table, object, name });
  const steps: Step[] = [drawer.createKept()];
  while (steps.length < length) steps.push(drawer.step());
  return { seed, steps };
}

type Drawn = {
  readonly kind: TestedKind;
  readonly table: SchemaTable;
  readonly object: JsonMap;
  readonly name: string;
};

/** As deep as the members of a pod template of a CronJob are. */
const deepestMember = 16;

class FieldDrawer {
  readonly #random: Random;
  readonly #drawn: Drawn;

  constructor(random: Random, drawn: Drawn) {
    this.#random = random;
    this.#drawn = drawn;
  }

  createKept(): Step {
    const { kind, object } = this.#drawn;
    return {
      verb: 'create',
      kind: kind.kind,
      method: 'POST',
      path: collectionOf(kind),
      contentType: 'application/json',
      body: object,
    };
  }

  step(): Step {
    const random = this.#random;
    const { kind, object, name } = this.#drawn;
    const edits = this.#edits();
    const share = random.next();
    const path = objectOf(kind, name);
    const isStatus = edits.some(({ at }) => at[0] === 'status') && kind.subresources.includes('status');
    if (isStatus && share < 0.9)
      return this.#update(share < 0.6 ? 'update status' : 'patch status', `${path}/status`, edits);
    if (share < 0.5 || !kind.verbs.includes('update'))
      return {
        ...this.createKept(),
        path: `${collectionOf(kind)}?dryRun=All`,
        body: this.#renamed(withEdits(object, edits)),
      };
    if (share < 0.8) return this.#update('update', path, edits);
    if (share < 0.9) return this.#update('patch', path, edits);
    return {
      verb: 'apply',
      kind: kind.kind,
      method: 'PATCH',
      path: `${path}?fieldManager=one&force=true&dryRun=All`,
      contentType: 'application/apply-patch+yaml',
      body: withEdits(object, edits),
    };
  }

  /** A name that is free, so that the create is not refused for its name. */
  #renamed(object: JsonMap): JsonMap {
    const { kind, name } = this.#drawn;
    const free = listObjectNames(kind).find((other) => other !== name);
    if (free === undefined || valueAt(object, ['metadata', 'name']) !== name) return object;
    return withEdits(object, [{ at: ['metadata', 'name'], value: free }]);
  }

  #update(verb: string, path: string, edits: readonly Edit[]): Step {
    const { kind, object } = this.#drawn;
    const base = { verb, kind: kind.kind, path: `${path}?dryRun=All` };
    if (verb.startsWith('patch')) {
      const [{ at, value = null } = { at: [], value: {} }] = edits;
      const list = at.findIndex((part) => typeof part === 'number');
      const place = list === -1 ? at : at.slice(0, list);
      const whole = list === -1 ? value : (valueAt(withEdits(object, edits), place) ?? null);
      const body = edited({}, { at: place, value: whole }) ?? {};
      return { ...base, method: 'PATCH', contentType: 'application/merge-patch+json', body };
    }
    return { ...base, method: 'PUT', contentType: 'application/json', current: path, body: object, edits };
  }

  /** One member set; what it stands in is made where it is absent, with what the schema requires there. */
  #edits(): readonly Edit[] {
    const random = this.#random;
    const { table, kind, object } = this.#drawn;
    let schema = table.resolve(table.of(kind));
    const at: (string | number)[] = [];
    for (let depth = 0; depth < deepestMember; depth += 1) {
      const part = this.#nextPart(schema, valueAt(object, at));
      if (part === undefined) break;
      schema = table.resolve(innerSchema(schema, part));
      at.push(part);
      if (random.next() < (schema.properties !== undefined || schema.items !== undefined ? 0.12 : 0.4)) break;
    }
    const body = { table, schema: table.of(kind), object };
    return [editMember(body, at, random.pick(valuesToTry(table, schema, memberName(at))))];
  }

  #nextPart(schema: DrawnSchema, value: Json | undefined): string | number | undefined {
    const random = this.#random;
    if (schema.properties !== undefined) {
      const present = isMap(value)
        ? Object.keys(value).filter((name) => Object.hasOwn(schema.properties ?? {}, name))
        : [];
      const names = Object.keys(schema.properties).filter((name) => !identifyingMembers.has(name));
      if (names.length === 0) return undefined;
      const inner = present.filter((name) => !identifyingMembers.has(name));
      return random.next() < 0.5 && inner.length > 0 ? random.pick(inner) : random.pick(names);
    }
    if (schema.items !== undefined) {
      const length = Array.isArray(value) ? value.length : 0;
      return random.next() < 0.75 || length === 0 ? 0 : length;
    }
    return typeof schema.additionalProperties === 'object'
      ? random.pick(['a', 'cpu', 'example.com/a', 'A b', ''])
      : undefined;
  }
}
