import { clone, equal, isObject, type Json, type JsonObject, member } from '../schema/json.ts';
import {
  findPointedPlace,
  insertPointed,
  type PointedPlace,
  readPointed,
  removePointed,
  replacePointed,
} from './json-pointer.ts';
import { unmarshalError } from './merge-patch.ts';
import { badPatch, inapplicable, oversizedPatch, type PatchOutcome, patched } from './outcome.ts';

const mostOperations = 10_000;
/** Characters that all copies of a patch together may add. */
const mostCopied = 3 * 1024 * 1024;

/**
 * JSON patch (RFC 6902) with the API server's two leniencies: `replace` of a missing member adds it, and `test`
 * for null holds where the member is absent.
 * @returns refused with 400 when `operations` is no list of objects, with 413 when there are too many of them, with
 *   422 when an operation fails
 */
export function jsonPatch(doc: Json, operations: Json): PatchOutcome {
  if (!Array.isArray(operations)) return notOperations(operations);
  if (operations.length > mostOperations) {
    return oversizedPatch(
      `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
    );
  }
  const patch = new PatchedDocument(clone(doc));
  for (const operation of operations) {
    if (!isObject(operation)) return notOperations(operation);
    if (!patch.apply(operation)) return inapplicable;
  }
  return patched(patch.value);
}

const notOperations = (value: Json): PatchOutcome =>
  badPatch(`error decoding patch: ${unmarshalError(value, '[]handlers.jsonPatchOp')}`);

/** A document that operations change one after the other. */
class PatchedDocument {
  readonly value: Json;
  #copied = 0;

  constructor(value: Json) {
    this.value = value;
  }

  /** @returns whether the operation could be carried out */
  apply(operation: JsonObject): boolean {
    const { op, path, from } = operation;
    const place = this.#find(path);
    if (place === undefined) return false;
    const value = member(operation, 'value');
    switch (op) {
      case 'add':
        return value !== undefined && insertPointed(place, clone(value));
      case 'replace':
        return value !== undefined && replacePointed(place, clone(value));
      case 'remove':
        return removePointed(place);
      case 'test':
        return equal(readPointed(place) ?? null, value ?? null);
      case 'copy':
        return this.#copy(from, place);
      case 'move':
        return this.#move(from, path);
      default:
        return false;
    }
  }

  #find(pointer: Json | undefined): PointedPlace | undefined {
    return typeof pointer === 'string' ? findPointedPlace(this.value, pointer) : undefined;
  }

  #copy(from: Json | undefined, to: PointedPlace): boolean {
    const source = this.#find(from);
    const value = source && readPointed(source);
    if (value === undefined) return false;
    this.#copied += JSON.stringify(value).length;
    return this.#copied <= mostCopied && insertPointed(to, clone(value));
  }

  /** The place to move to is looked for when the value is gone from where it was. */
  #move(from: Json | undefined, to: Json | undefined): boolean {
    const source = this.#find(from);
    const value = source && readPointed(source);
    if (value === undefined || source === undefined) return false;
    if (typeof from !== 'string' || typeof to !== 'string') return false;
    // A value cannot move into itself.
    if (to.startsWith(`${from}/`)) return false;
    removePointed(source);
    const place = findPointedPlace(this.value, to);
    return place !== undefined && insertPointed(place, value);
  }
}
