import { applyPatch, type Operation, Pointer } from 'rfc6902';
import { clone, isObject, type Json, type JsonObject } from '../schema/json.ts';
import { unmarshalError } from './merge-patch.ts';
import { badPatch, inapplicable, type PatchOutcome, patched } from './outcome.ts';

/**
 * JSON patch (RFC 6902) with the API server's two leniencies: `replace` of a missing member adds it, and `test`
 * for null holds where the member is absent.
 * @returns refused with 400 when `operations` is no list of objects, with 422 when an operation fails
 */
export function jsonPatch(doc: Json, operations: Json): PatchOutcome {
  if (!Array.isArray(operations)) return notOperations(operations);
  const value = clone(doc);
  for (const operation of operations) {
    if (!isObject(operation)) return notOperations(operation);
    if (!applied(value, operation)) return inapplicable;
  }
  return patched(value);
}

const notOperations = (value: Json): PatchOutcome =>
  badPatch(`error decoding patch: ${unmarshalError(value, '[]handlers.jsonPatchOp')}`);

function applied(value: Json, operation: JsonObject): boolean {
  const { op, path } = operation;
  if (typeof op !== 'string' || typeof path !== 'string') return false;
  const target = Pointer.fromJSON(path).evaluate(value);
  const parent: unknown = target.parent;
  if (typeof parent !== 'object' || parent === null) return false;
  const isAbsent = target.value === undefined;
  if (op === 'test' && isAbsent) return (operation['value'] ?? null) === null;
  const lenient = op === 'replace' && isAbsent && !Array.isArray(parent) ? { ...operation, op: 'add' } : operation;
  return applyPatch(value, [lenient as unknown as Operation]).every((failure) => failure === null);
}
