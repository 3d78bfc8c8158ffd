import { mergePatch } from '../patch/merge-patch.ts';
import type { Cause } from '../schema/cause.ts';
import type { Json, JsonObject } from '../schema/json.ts';
import type { StructuralSchema } from '../schema/structural.ts';

export type ApplyRequest = {
  /** The stored object; absent when the apply creates. */
  readonly live?: JsonObject;
  /** What the manager sends: its whole intent. */
  readonly applied: JsonObject;
  readonly schema: StructuralSchema;
  readonly manager: string;
  readonly force: boolean;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** RFC 3339, seconds. */
  readonly now: string;
  /** `/v1, Kind=ConfigMap` and the like come from these in error texts. */
  readonly kind?: string;
  /** Admission, defaulting and resets between the merge and the recording of owners; identity when absent. */
  readonly prepare?: (merged: JsonObject) => JsonObject;
};

/**
 * What an apply comes to: the object with its new `metadata.managedFields`, or the fields that other managers
 * own (answered with 409), or a refusal of what was sent.
 */
export type ApplyOutcome =
  | { readonly kind: 'applied'; readonly object: JsonObject }
  | { readonly kind: 'conflict'; readonly message: string; readonly causes: readonly Cause[] }
  | { readonly kind: 'refused'; readonly code: 400 | 500; readonly reason?: string; readonly message: string };

export function serverSideApply({ live, applied, prepare }: ApplyRequest): ApplyOutcome {
  const merged = mergePatch(live ?? {}, applied);
  const object: Json = merged.kind === 'patched' ? merged.value : applied;
  return { kind: 'applied', object: prepare === undefined ? (object as JsonObject) : prepare(object as JsonObject) };
}
