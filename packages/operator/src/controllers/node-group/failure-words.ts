import type { FinishedUpdate } from '@nodewright/apis';

/** Why an update failed, in one line: the code, the message of the service, and the resources concerned. */
export function failureWords({ code, message = 'the update failed', resourceIds = [] }: FinishedUpdate): string {
  const about = resourceIds.length === 0 ? '' : ` (${resourceIds.join(', ')})`;
  return `${code === undefined ? '' : `${code}: `}${message}${about}`;
}
