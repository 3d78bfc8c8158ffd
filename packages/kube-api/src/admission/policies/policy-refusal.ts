import { readOwn } from '@nodewright/apis';
import { forbiddenError, StatusError } from '../../http/status-error.ts';
import type { AdmissionAttributes } from '../attributes.ts';

/** The rules of a binding that leaves them to its policy. */
export const everyRule = [{ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*/*'] }];

const codeByReason: Readonly<Record<string, number>> = {
  Forbidden: 403,
  Unauthorized: 401,
  RequestEntityTooLarge: 413,
  Invalid: 422,
};

/** Returns the error of a write that a policy refuses. */
export function refuseByPolicy({ resource, name }: AdmissionAttributes, message: string, reason: string): StatusError {
  const refusal = forbiddenError(resource, name, message, [{ message }]);
  const details = refusal.details === undefined ? {} : { details: refusal.details };
  return new StatusError(readOwn(codeByReason, reason) ?? 422, refusal.message, { reason, ...details });
}
