import type { ErrorClass } from './error-codes.ts';

/** What the caller of a port does after an error: `CloudError.retry`. */
export type Retry = 'soon' | 'backOff' | 'afterSpecChange';

export type Consequence = {
  /** How often the call is made before its error counts. */
  readonly attempts: number;
  readonly retry: Retry;
};

const manyAttempts = 4;
const nextTurn: Consequence = { attempts: 1, retry: 'backOff' };
const passing: Consequence = { attempts: manyAttempts, retry: 'backOff' };

/**
 * What follows from an error when the call has no rule of its own (the table of calls in `docs/aws-calls.md`). A code that is not listed backs
 * off: it may pass by itself, and a turn that waits for a change would never come back.
 */
export const consequences: Readonly<Record<ErrorClass, Consequence>> = {
  throttled: passing,
  serviceError: passing,
  networkError: passing,
  timeout: passing,
  malformedAnswer: passing,
  unknownOperation: nextTurn,
  notFound: nextTurn,
  alreadyExists: { attempts: 1, retry: 'soon' },
  unauthorized: nextTurn,
  dryRun: nextTurn,
  quotaExceeded: nextTurn,
  insufficientCapacity: nextTurn,
  invalidParameter: nextTurn,
  dependencyViolation: nextTurn,
  idempotencyMismatch: nextTurn,
  unknownCode: nextTurn,
};

/** Consequences that differ where a port says so. */
export type RetryRules = Partial<Readonly<Record<ErrorClass, Retry>>>;

/** A lookup that takes its input from the spec of an EC2NodeClass fails again until the spec changes. */
export const lookupRules: RetryRules = { invalidParameter: 'afterSpecChange' };
