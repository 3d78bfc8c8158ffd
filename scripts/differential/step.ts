/** A JSON value. A whole number that a double cannot hold is a text `@int:9007199254740993`. */
export type Json = null | boolean | number | string | readonly Json[] | JsonMap;
export type JsonMap = { readonly [name: string]: Json };

export type Place = readonly (string | number)[];

/** A change of one member of an object; without a value the member is left out. */
export type Edit = { readonly at: Place; readonly value?: Json };

/** A member that is written twice in the text of a body. */
export type Repetition = { readonly name: string; readonly value: Json };

/**
 * One request of a history. `RUN` in a path or a text is replaced by a word that is new for each time it is played, so that
 * no history meets what another one left.
 */
export type Step = {
  /** As the table of differences names it: `create`, `patch merge`, `update status`. */
  readonly verb: string;
  readonly kind: string;
  readonly method: string;
  readonly path: string;
  readonly contentType?: string;
  readonly accept?: string;
  readonly body?: Json;
  /** The path of the object that is sent back with `edits`; `body` is sent where there is none. */
  readonly current?: string;
  readonly edits?: readonly Edit[];
  readonly repeated?: Repetition;
  /** Reads the lines of a stream instead of one answer. */
  readonly isStream?: boolean;
};

export type DrawnHistory = { readonly seed: string; readonly steps: readonly Step[] };

export const isMap = (value: unknown): value is JsonMap =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value at a place, if it is there. */
export function valueAt(value: Json | undefined, at: Place): Json | undefined {
  let found: Json | undefined = value;
  for (const part of at) {
    if (Array.isArray(found)) found = (found as readonly Json[])[Number(part)];
    else if (isMap(found) && Object.hasOwn(found, part)) found = found[part];
    else return undefined;
  }
  return found;
}

/** The value with one place changed. Maps that are missing on the way are made. */
export function edited(value: Json | undefined, { at, value: next }: Edit): Json | undefined {
  const [first, ...rest] = at;
  if (first === undefined) return next;
  if (Array.isArray(value)) return editedList(value as readonly Json[], Number(first), { at: rest, value: next });
  const map = isMap(value) ? value : {};
  const inner = edited(Object.hasOwn(map, first) ? map[first] : undefined, { at: rest, value: next });
  const others = Object.entries(map).filter(([name]) => name !== String(first));
  return Object.fromEntries(inner === undefined ? others : [...others, [first, inner]]) as JsonMap;
}

function editedList(list: readonly Json[], index: number, edit: { at: Place; value: Json | undefined }): Json {
  const inner = edited(list[index], edit as Edit);
  return inner === undefined ? list.toSpliced(index, 1) : list.toSpliced(index, 1, inner);
}

/** All places of a value, from the outside in. The value itself is the first. */
export function placesIn(value: Json, at: Place = []): readonly Place[] {
  if (Array.isArray(value))
    return [at, ...(value as readonly Json[]).flatMap((inner, nth) => placesIn(inner, [...at, nth]))];
  if (!isMap(value)) return [at];
  return [at, ...Object.entries(value).flatMap(([name, inner]) => placesIn(inner, [...at, name]))];
}
