import { ApiError, type KubernetesStatus } from '@nodewright/runtime';
import { withoutStorageError } from '../http/storage-refusal.ts';
import { StatusError } from '../http/status-error.ts';

/** What a client throws for an error of an operation. A defect stays what it is. */
export function asApiError(thrown: unknown): unknown {
  const error = withoutStorageError(thrown);
  return error instanceof StatusError ? new ApiError(error.toStatus() as unknown as KubernetesStatus) : error;
}
