import { type Cause, invalidCause } from '../../schema/cause.ts';
import type { JsonValue } from '../../schema/json.ts';
import { validateNotNegative } from './checks.ts';

const sharePattern = /^[0-9]+%$/;
const shareProblem =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')";

/** Validates a number of pods, or a share of them as text: `2` or `25%`. */
export function validateCountOrShare(field: string, value: JsonValue | undefined): Cause[] {
  if (typeof value !== 'string') return validateNotNegative(field, value);
  return sharePattern.test(value) ? [] : [invalidCause(field, value, shareProblem)];
}

/** Validates that a share is not more than everything. */
export const validateShareLimit = (field: string, value: JsonValue | undefined): Cause[] =>
  typeof value === 'string' && sharePattern.test(value) && Number(value.slice(0, -1)) > 100
    ? [invalidCause(field, value, 'must not be greater than 100%')]
    : [];
