import type { FinishedUpdate } from '@nodewright/apis';

/** Why an update failed, in one line: code, what the service said, and what it is about. */
export function failureWords({ code, message = 'the update failed', resourceIds = [] }: FinishedUpdate): string {
  const about = resourceIds.length === 0 ? '' : ` (${resourceIds.join(', ')})`;
  return `${code === undefined ? '' : `${code}: `}${message}${about}`;
}
