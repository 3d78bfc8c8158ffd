import type { RetryClass } from './retry-class.ts';

/** There was no answer: the connection could not be made, or broke. What was asked may have happened all the same. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly retry: RetryClass = 'backOff';

  constructor(asked: string, cause: unknown) {
    super(`${asked}: no answer (${reasonOf(cause)})`, { cause });
  }
}

/** Errors of sockets often have a code and no message. */
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const code: unknown = 'code' in cause ? cause.code : undefined;
  return cause.message === '' ? String(code) : cause.message;
}
