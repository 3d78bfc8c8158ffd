import type { Storage } from '@nodewright/runtime';
import { StorageError } from '@nodewright/runtime';
import { StatusError } from './status-error.ts';

/** 503 without `Retry-After`: a client that waits and asks again would only wait longer before it tells its user. */
const unavailable = (message: string): StatusError => new StatusError(503, message, { reason: 'ServiceUnavailable' });

/** What a client is told when its change was not kept. */
export const withoutStorageError = (error: unknown): unknown =>
  error instanceof StorageError ? unavailable(error.problem.message) : error;

/**
 * Nothing is shown that a restart would not show.
 * @throws StatusError 503 while memory holds changes that are not kept
 */
export function refuseUnkept(storage: Pick<Storage, 'problem'>): void {
  const problem = storage.problem();
  if (problem?.isReadable === false) throw unavailable(problem.message);
}
