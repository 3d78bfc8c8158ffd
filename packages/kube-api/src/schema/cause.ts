import type { JsonValue } from './json.ts';

/** The reason why a value is refused, as in `details.causes[]` of a `Status`. */
export type Cause = { readonly reason: CauseReason; readonly message: string; readonly field: string };

export type CauseReason =
  | 'FieldValueInvalid'
  | 'FieldValueTypeInvalid'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueForbidden'
  | 'FieldValueNotSupported'
  | 'FieldValueNotFound'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'FieldManagerConflict'
  | 'UnexpectedServerResponse';

/** Prints a value as causes do: JSON. */
export const quoteValue = (value: JsonValue): string => JSON.stringify(value);

export const requiredCause = (field: string, detail?: string): Cause => ({
  reason: 'FieldValueRequired',
  message: detail === undefined ? 'Required value' : `Required value: ${detail}`,
  field,
});

export const invalidCause = (field: string, value: JsonValue, detail: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${quoteValue(value)}: ${detail}`,
  field,
});

/** Of a value that the message leaves out. */
export const unnamedInvalidCause = (field: string, detail: string): Cause => ({
  reason: 'FieldValueInvalid',
  message: `Invalid value: ${detail}`,
  field,
});

export const typeInvalidCause = (field: string, value: JsonValue, detail: string): Cause => ({
  reason: 'FieldValueTypeInvalid',
  message: `Invalid value: ${quoteValue(value)}: ${detail}`,
  field,
});

export const notSupportedCause = (field: string, value: JsonValue, supported: readonly JsonValue[]): Cause => ({
  reason: 'FieldValueNotSupported',
  message: `Unsupported value: ${quoteValue(value)}: supported values: ${supported.map(quoteValue).join(', ')}`,
  field,
});

export const duplicateCause = (field: string, value: JsonValue): Cause => ({
  reason: 'FieldValueDuplicate',
  message: `Duplicate value: ${quoteValue(value)}`,
  field,
});

export const forbiddenCause = (field: string, detail: string): Cause => ({
  reason: 'FieldValueForbidden',
  message: `Forbidden: ${detail}`,
  field,
});

export const tooLongCause = (field: string, bytes: number): Cause => ({
  reason: 'FieldValueTooLong',
  message: `Too long: may not be more than ${bytes} bytes`,
  field,
});

export const tooManyCause = (field: string, count: { readonly seen: number; readonly most: number }): Cause => ({
  reason: 'FieldValueTooMany',
  message: `Too many: ${count.seen}: must have at most ${count.most} items`,
  field,
});

/** Prints a cause as the message of a `Status` does: `spec: Required value`. */
export const printCause = (cause: Cause): string => `${cause.field}: ${cause.message}`;
