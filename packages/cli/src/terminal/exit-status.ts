/** What a script can tell from the exit status; the same for every command. */
export const exitStatus = {
  done: 0,
  failed: 1,
  /** Wrong usage or input; nothing was changed. */
  wrongInput: 2,
  /** Finished, but what was asked cannot be had now; the reasons are on stdout. */
  notNow: 3,
  /** A `--wait` or `--timeout` ran out. */
  timedOut: 4,
} as const;

/** Wrong usage or input found after parsing, for instance a port that is taken. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** The answer is given, and it is that what was asked cannot be had now. */
export class NotNowError extends Error {
  override readonly name = 'NotNowError';
}

/** A `--wait` ended before what it waited for. */
export class TimedOutError extends Error {
  override readonly name = 'TimedOutError';
}

/** The status for an exception that ended a command. */
export function exitStatusOf(failure: unknown): number {
  if (failure instanceof InputError) return exitStatus.wrongInput;
  if (failure instanceof TimedOutError) return exitStatus.timedOut;
  return failure instanceof NotNowError ? exitStatus.notNow : exitStatus.failed;
}
