import { type Cause, invalidCause } from '../../schema/cause.ts';
import type { JsonValue } from '../../schema/json.ts';

const fewestSeconds = 600;
const mostSeconds = 2 ** 32;

/** The problems of how long a token of a service account is to last. */
export function tokenLifetimeCauses(field: string, seconds: JsonValue | undefined): Cause[] {
  if (typeof seconds !== 'number') return [];
  if (seconds < fewestSeconds) return [invalidCause(field, seconds, 'may not specify a duration less than 10 minutes')];
  return seconds > mostSeconds
    ? [invalidCause(field, seconds, 'may not specify a duration larger than 2^32 seconds')]
    : [];
}
