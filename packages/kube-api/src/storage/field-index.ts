import type { ApiObject } from './api-object.ts';

/** The keys of the objects of a collection by the text of one field. */
export class FieldIndex {
  readonly #textOf: (object: ApiObject) => string;
  readonly #keys = new Map<string, Set<string>>();

  constructor(textOf: (object: ApiObject) => string) {
    this.#textOf = textOf;
  }

  /** In the order of lists. */
  keysOf(text: string): readonly string[] {
    return [...(this.#keys.get(text) ?? [])].toSorted();
  }

  replace(key: string, before: ApiObject | undefined, after: ApiObject | undefined): void {
    const [old, text] = [before && this.#textOf(before), after && this.#textOf(after)];
    if (old === text) return;
    if (old !== undefined) this.#leave(key, old);
    if (text === undefined) return;
    const known = this.#keys.get(text);
    if (known === undefined) this.#keys.set(text, new Set([key]));
    else known.add(key);
  }

  #leave(key: string, text: string): void {
    const known = this.#keys.get(text);
    known?.delete(key);
    if (known?.size === 0) this.#keys.delete(text);
  }
}
