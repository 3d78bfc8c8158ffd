import type { Json } from '../schema/json.ts';

/**
 * What became of a patch. A refusal carries what the answering `Status` says: its code, its message and, where the
 * server gives one, its reason.
 */
export type PatchOutcome =
  | { readonly kind: 'patched'; readonly value: Json }
  | {
      readonly kind: 'refused';
      readonly code: 400 | 413 | 422 | 500;
      readonly reason?: string;
      readonly message: string;
    };

export const patched = (value: Json): PatchOutcome => ({ kind: 'patched', value });

export const badPatch = (message: string): PatchOutcome => ({
  kind: 'refused',
  code: 400,
  reason: 'BadRequest',
  message,
});

/** A JSON patch that cannot be applied; the server tells no more than this. */
export const inapplicable: PatchOutcome = {
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

export const brokenPatch = (message: string): PatchOutcome => ({ kind: 'refused', code: 500, message });
