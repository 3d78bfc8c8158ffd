import { readOwn, writeOwn } from '@nodewright/apis';
import { isObject, type JsonObject } from '../schema/json.ts';
import type { FieldPath, PathElement } from './field-path.ts';

/** Stands between the steps of a path; a step is JSON text or a name, so it never contains one. */
const separator = '\n';

const textOf = (path: FieldPath): string => path.join(separator);

/** The text of a path that goes one step further; the root has an empty one. */
export const stepInto = (text: string, element: PathElement): string =>
  text === '' ? element : `${text}${separator}${element}`;

const betweenPaths = '\n\n';

/** Which sets are shared makes no difference to anybody, so they may be forgotten. */
const sharedSets = new Map<string, FieldSet>();
const mostShared = 1000;

/** A set of field paths: what a manager owns, or what a write changed. Immutable. */
export class FieldSet {
  readonly #paths: ReadonlySet<string>;
  #nested: JsonObject | undefined;
  /** The paths that have some path of the set inside them. */
  #holders: ReadonlySet<string> | undefined;

  private constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
  }

  static readonly empty = new FieldSet(new Set());

  static of(paths: Iterable<FieldPath>): FieldSet {
    return new FieldSet(new Set(Array.from(paths, textOf)));
  }

  /** Of paths as `stepInto` writes them; the set is not changed afterwards. */
  static ofTexts(texts: ReadonlySet<string>): FieldSet {
    return texts.size === 0 ? FieldSet.empty : new FieldSet(texts);
  }

  get isEmpty(): boolean {
    return this.#paths.size === 0;
  }

  has(path: FieldPath): boolean {
    return this.#paths.has(textOf(path));
  }

  /** Whether the set has the path or anything inside it. */
  reaches(path: FieldPath): boolean {
    const text = textOf(path);
    return this.#paths.has(text) || (this.#holders ??= holdersOf(this.#paths)).has(text);
  }

  union(other: FieldSet): FieldSet {
    if (other.isEmpty) return this;
    if (this.isEmpty) return other;
    if (other.#isInside(this)) return this;
    const all = new Set(this.#paths);
    for (const path of other.#paths) all.add(path);
    return new FieldSet(all);
  }

  intersection(other: FieldSet): FieldSet {
    const [few, many] = this.#paths.size <= other.#paths.size ? [this, other] : [other, this];
    return few.#filtered((path) => many.#paths.has(path));
  }

  difference(other: FieldSet): FieldSet {
    let rest: Set<string> | undefined;
    for (const path of other.#paths) if (this.#paths.has(path)) (rest ??= new Set(this.#paths)).delete(path);
    return rest === undefined ? this : new FieldSet(rest);
  }

  /** Without some fields and everything inside them. */
  without(fields: FieldSet): FieldSet {
    const outer = [...fields.#paths];
    return this.#filtered((path) => !outer.some((start) => isWithin(path, start)));
  }

  equals(other: FieldSet): boolean {
    if (this === other) return true;
    return this.#paths.size === other.#paths.size && this.#isInside(other);
  }

  #isInside(other: FieldSet): boolean {
    for (const path of this.#paths) if (!other.#paths.has(path)) return false;
    return true;
  }

  /**
   * The set of these fields that all share: most objects of a kind are written by the same few, field by field the same. Worth
   * it for a set that is kept.
   */
  shared(): FieldSet {
    const key = [...this.#paths].join(betweenPaths);
    const known = sharedSets.get(key);
    if (known !== undefined) return known;
    if (sharedSets.size >= mostShared) sharedSets.clear();
    sharedSets.set(key, this);
    return this;
  }

  /** All paths; at every level first the fields that end there, then those that go on, each sorted. */
  paths(): FieldPath[] {
    return pathsIn(this.toFieldsV1(), []);
  }

  /** The nested form of `managedFields[].fieldsV1`; the same one every time. */
  toFieldsV1(): JsonObject {
    return (this.#nested ??= this.#nest());
  }

  #nest(): JsonObject {
    const root: JsonObject = {};
    const filled = new Set<JsonObject>();
    for (const text of [...this.#paths].toSorted(compareTexts)) insert(root, text.split(separator), filled);
    return root;
  }

  static fromFieldsV1(fields: JsonObject): FieldSet {
    return FieldSet.of(pathsIn(fields, []));
  }

  /** The set itself when all of it is kept: its owner's entry stays as it is written. */
  #filtered(keep: (path: string) => boolean): FieldSet {
    const kept = new Set<string>();
    for (const path of this.#paths) if (keep(path)) kept.add(path);
    return kept.size === this.#paths.size ? this : new FieldSet(kept);
  }
}

/** All beginnings of the paths; each is looked at once, however many paths share it. */
function holdersOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const holders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf(separator); end > 0; end = path.lastIndexOf(separator, end - 1)) {
      const holder = path.slice(0, end);
      if (holders.has(holder)) break;
      holders.add(holder);
    }
  }
  return holders;
}

/** Whether a path is another one or goes on from there. */
const isWithin = (path: string, start: string): boolean =>
  path.startsWith(start) && (path.length === start.length || path[start.length] === separator);

const compareTexts = (a: string, b: string): number => (a < b ? -1 : 1);

/**
 * A field without inner fields is `{}`; one that is owned and has inner fields says so with `.`.
 * @param filled the fields that have inner ones so far: to ask a field with many takes as long as it is large
 */
function insert(root: JsonObject, path: FieldPath, filled: Set<JsonObject>): void {
  let node = root;
  for (const [index, element] of path.entries()) {
    const known = readOwn(node, element);
    const isNew = !isObject(known);
    const next: JsonObject = isNew ? {} : known;
    if (isNew) writeOwn(node, element, next);
    // Paths come sorted: a field that is there and still empty was owned itself.
    else if (!filled.has(next) && index < path.length - 1) next['.'] = {};
    filled.add(node);
    node = next;
  }
}

function pathsIn(fields: JsonObject, prefix: FieldPath): FieldPath[] {
  const elements = Object.keys(fields)
    .filter((element) => element !== '.')
    .toSorted(compareTexts);
  const owned = elements.filter((element) => isOwned(fields, element)).map((element) => [...prefix, element]);
  const inside = elements.flatMap((element) => pathsIn(childOf(fields, element), [...prefix, element]));
  return [...owned, ...inside];
}

function childOf(fields: JsonObject, element: PathElement): JsonObject {
  const child = readOwn(fields, element);
  return isObject(child) ? child : {};
}

function isOwned(fields: JsonObject, element: PathElement): boolean {
  const keys = Object.keys(childOf(fields, element));
  return keys.length === 0 || keys.includes('.');
}
