import type { JsonValue } from '../schema/json.ts';

/**
 * The result of a patch. A refusal has the code, the message and, where a real server gives one, the reason of the
 * `Status`.
 */
export type PatchOutcome =
  | { readonly kind: 'patched'; readonly value: JsonValue }
  | {
      readonly kind: 'refused';
      readonly code: 400 | 413 | 422 | 500;
      readonly reason?: string;
      readonly message: string;
    };

export const patchedOutcome = (value: JsonValue): PatchOutcome => ({ kind: 'patched', value });

export const badPatchOutcome = (message: string): PatchOutcome => ({
  kind: 'refused',
  code: 400,
  reason: 'BadRequest',
  message,
});

/** A JSON patch that cannot be applied. A real server gives no further details. */
export const inapplicableOutcome: PatchOutcome = {
  kind: 'refused',
  code: 422,
  reason: 'Invalid',
  message: 'the server rejected our request due to an error in our request',
};

export const oversizedPatch = (message: string): PatchOutcome => ({
  kind: 'refused',
  code: 413,
  reason: 'RequestEntityTooLarge',
  message: `Request entity too large: ${message}`,
});

export const brokenPatchOutcome = (message: string): PatchOutcome => ({ kind: 'refused', code: 500, message });
