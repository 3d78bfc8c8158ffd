import { type Storage, StorageError } from '@nodewright/runtime';
import { StatusError } from './status-error.ts';

/** A 503 without `Retry-After`. With the header, clients would wait and retry before they report the problem. */
const unavailable = (message: string): StatusError => new StatusError(503, message, { reason: 'ServiceUnavailable' });

/** The error answer for a change that could not be saved. */
export const withoutStorageError = (error: unknown): unknown =>
  error instanceof StorageError ? unavailable(error.problem.message) : error;

/**
 * Refuses reads of changes that a restart would lose.
 * @throws StatusError 503 while memory holds changes that are not saved
 */
export function refuseUnsavedState(storage: Pick<Storage, 'problem'>): void {
  const problem = storage.problem();
  if (problem?.isReadable === false) throw unavailable(problem.message);
}
