import { byText, readOwn, writeOwn } from '@nodewright/apis';
import { isObject, type JsonObject } from '../schema/json.ts';
import type { FieldPath, PathElement } from './field-path.ts';

/** Separates the elements of a path. An element is JSON text or a name and never contains a line break. */
const pathSeparator = '\n';

const pathText = (path: FieldPath): string => path.join(pathSeparator);

/** The text of a path extended by one element. The root has an empty text. */
export const stepInto = (text: string, element: PathElement): string =>
  text === '' ? element : `${text}${pathSeparator}${element}`;

const betweenPaths = '\n\n';

/** Sharing only saves memory, so the map may be cleared at any time. */
const sharedSets = new Map<string, FieldSet>();
const mostShared = 1000;

/** A set of field paths: what a manager owns, or what a write changed. Immutable. */
export class FieldSet {
  readonly #paths: ReadonlySet<string>;
  #nested: JsonObject | undefined;
  /** The paths that contain another path of the set. */
  #holders: ReadonlySet<string> | undefined;

  private constructor(paths: ReadonlySet<string>) {
    this.#paths = paths;
  }

  static readonly empty = new FieldSet(new Set());

  static of(paths: Iterable<FieldPath>): FieldSet {
    return new FieldSet(new Set(Array.from(paths, pathText)));
  }

  /** Creates a set from path texts of `stepInto`. The caller no longer changes the set it passes. */
  static ofTexts(texts: ReadonlySet<string>): FieldSet {
    return texts.size === 0 ? FieldSet.empty : new FieldSet(texts);
  }

  get isEmpty(): boolean {
    return this.#paths.size === 0;
  }

  has(path: FieldPath): boolean {
    return this.#paths.has(pathText(path));
  }

  /** Whether the set has the path or anything inside it. */
  reaches(path: FieldPath): boolean {
    const text = pathText(path);
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

  /** This set without the given fields and everything inside them. */
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
   * Returns one shared set for equal fields. A few managers write most objects of a kind with the same fields, so call
   * this for a set that is kept.
   */
  shared(): FieldSet {
    const key = [...this.#paths].join(betweenPaths);
    const known = sharedSets.get(key);
    if (known !== undefined) return known;
    if (sharedSets.size >= mostShared) sharedSets.clear();
    sharedSets.set(key, this);
    return this;
  }

  /**
   * All paths. At every level the fields that end there come first, then the fields with inner fields, each part
   * sorted.
   */
  paths(): FieldPath[] {
    return pathsIn(this.toFieldsV1(), []);
  }

  /** The nested form in `managedFields[].fieldsV1`. Repeated calls return the same object. */
  toFieldsV1(): JsonObject {
    return (this.#nested ??= this.#nest());
  }

  #nest(): JsonObject {
    const root: JsonObject = {};
    const filled = new Set<JsonObject>();
    for (const text of [...this.#paths].toSorted(byText)) insertPath(root, text.split(pathSeparator), filled);
    return root;
  }

  static fromFieldsV1(fields: JsonObject): FieldSet {
    return FieldSet.of(pathsIn(fields, []));
  }

  /** Returns this set when every path is kept, so that the printed entry of its owner is reused. */
  #filtered(keep: (path: string) => boolean): FieldSet {
    const kept = new Set<string>();
    for (const path of this.#paths) if (keep(path)) kept.add(path);
    return kept.size === this.#paths.size ? this : new FieldSet(kept);
  }
}

/** All prefixes of the paths. Each prefix is visited once, however many paths share it. */
function holdersOf(paths: ReadonlySet<string>): ReadonlySet<string> {
  const holders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf(pathSeparator); end > 0; end = path.lastIndexOf(pathSeparator, end - 1)) {
      const holder = path.slice(0, end);
      if (holders.has(holder)) break;
      holders.add(holder);
    }
  }
  return holders;
}

/** Whether `path` equals `start` or lies inside it. */
const isWithin = (path: string, start: string): boolean =>
  path.startsWith(start) && (path.length === start.length || path[start.length] === pathSeparator);

/** A field without inner fields is `{}`. A field that is owned and has inner fields contains `.`. */
function insertPath(root: JsonObject, path: FieldPath, filled: Set<JsonObject>): void {
  let node = root;
  for (const [index, element] of path.entries()) {
    const known = readOwn(node, element);
    const isNew = !isObject(known);
    const next: JsonObject = isNew ? {} : known;
    if (isNew) writeOwn(node, element, next);
    // Paths come sorted: an existing field that is still empty is itself owned.
    else if (!filled.has(next) && index < path.length - 1) next['.'] = {};
    filled.add(node);
    node = next;
  }
}

function pathsIn(fields: JsonObject, prefix: FieldPath): FieldPath[] {
  const elements = Object.keys(fields)
    .filter((element) => element !== '.')
    .toSorted(byText);
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
