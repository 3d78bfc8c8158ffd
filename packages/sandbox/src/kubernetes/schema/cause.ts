/** Why a value was refused, as `details.causes[]` of a `Status` carries it. */
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

/** `spec: Required value`, the form in which a cause stands in the message of a `Status`. */
export const printCause = (cause: Cause): string => `${cause.field}: ${cause.message}`;

/** The text after `is invalid: `: one cause as it is, several in brackets. */
export const printCauses = (causes: readonly Cause[]): string => {
  const texts = [...new Set(causes.map(printCause))];
  return texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`;
};
