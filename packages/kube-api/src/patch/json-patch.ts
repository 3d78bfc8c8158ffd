import { cloneJson, isEqualJson, isObject, type JsonValue, type JsonObject, memberOf } from '../schema/json.ts';
import {
  findPointedPlace,
  insertPointed,
  type PointedPlace,
  readPointed,
  removePointed,
  replacePointed,
} from './json-pointer.ts';
import { unmarshalError } from './merge-patch.ts';
import { badPatchOutcome, inapplicableOutcome, oversizedPatch, type PatchOutcome, patchedOutcome } from './outcome.ts';

const mostOperations = 10_000;
/** The limit of list items that all operations of a patch may shift together. */
const mostShifted = 50_000_000;
/** The limit of characters that all copies of a patch may add together. */
const mostCopied = 3 * 1024 * 1024;

/**
 * Applies a JSON patch (RFC 6902). As in a real server, `replace` of an absent member adds it, and `test` for null
 * succeeds for an absent member.
 * @returns refused with 400 when `operations` is not a list of objects, with 413 when there are too many of them, with
 *   422 when an operation fails or all together copy or shift too much
 */
export function applyJsonPatch(doc: JsonValue, operations: JsonValue): PatchOutcome {
  if (!Array.isArray(operations)) return notOperations(operations);
  if (operations.length > mostOperations) {
    return oversizedPatch(
      `The allowed maximum operations in a JSON patch is ${mostOperations}, got ${operations.length}`,
    );
  }
  const patch = new PatchedDocument(cloneJson(doc));
  for (const operation of operations) {
    if (!isObject(operation)) return notOperations(operation);
    if (!patch.apply(operation)) return inapplicableOutcome;
  }
  return patchedOutcome(patch.value);
}

const notOperations = (value: JsonValue): PatchOutcome =>
  badPatchOutcome(`error decoding patch: ${unmarshalError(value, '[]handlers.jsonPatchOp')}`);

/** A document that operations change in sequence. */
class PatchedDocument {
  readonly value: JsonValue;
  #copied = 0;
  #shifted = 0;

  constructor(value: JsonValue) {
    this.value = value;
  }

  /** @returns whether the operation succeeded */
  apply(operation: JsonObject): boolean {
    const { op, path, from } = operation;
    const place = this.#find(path);
    if (place === undefined || !this.#mayShift(place)) return false;
    const value = memberOf(operation, 'value');
    switch (op) {
      case 'add':
        return value !== undefined && insertPointed(place, cloneJson(value));
      case 'replace':
        return value !== undefined && replacePointed(place, cloneJson(value));
      case 'remove':
        return removePointed(place);
      case 'test':
        return isEqualJson(readPointed(place) ?? null, value ?? null);
      case 'copy':
        return this.#copy(from, place);
      case 'move':
        return this.#move(from, path);
      default:
        return false;
    }
  }

  #find(pointer: JsonValue | undefined): PointedPlace | undefined {
    return typeof pointer === 'string' ? findPointedPlace(this.value, pointer) : undefined;
  }

  /** An insertion shifts the items after it, so many insertions into a long list cost their product. */
  #mayShift({ holder }: PointedPlace): boolean {
    if (Array.isArray(holder)) this.#shifted += holder.length;
    return this.#shifted <= mostShifted;
  }

  #copy(from: JsonValue | undefined, to: PointedPlace): boolean {
    const source = this.#find(from);
    const value = source && readPointed(source);
    if (value === undefined) return false;
    this.#copied += JSON.stringify(value).length;
    return this.#copied <= mostCopied && insertPointed(to, cloneJson(value));
  }

  /** The target is resolved after the value is removed from its source. */
  #move(from: JsonValue | undefined, to: JsonValue | undefined): boolean {
    const source = this.#find(from);
    const value = source && readPointed(source);
    if (value === undefined || source === undefined) return false;
    if (typeof from !== 'string' || typeof to !== 'string') return false;
    // A value cannot move into itself.
    if (to.startsWith(`${from}/`)) return false;
    if (!this.#mayShift(source)) return false;
    removePointed(source);
    const place = findPointedPlace(this.value, to);
    return place !== undefined && insertPointed(place, value);
  }
}
