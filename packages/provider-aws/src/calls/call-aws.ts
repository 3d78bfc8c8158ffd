import { CloudError } from '@nodewright/ports';
import type { CallGate, Clock, Random, Ticket } from '@nodewright/runtime';
import { CallPacer } from './call-pacer.ts';
import type { CallTokens } from './call-rates.ts';
import { consequences, type RetryRules } from './consequences.ts';
import { classifyError, awsCodeOf } from './error-codes.ts';
import { readableError } from './unreadable-answer.ts';

/** What goes along with one attempt, as the second argument of an SDK client's `send`. */
type SendOptions = { readonly abortSignal?: AbortSignal; readonly ticket: Ticket };

type CallOptions = {
  /** How often a call is made at most [what `consequences` says of the error]. */
  readonly mostAttempts?: number;
  /** What each attempt takes from the token buckets of EC2; without it no attempt waits for its turn. */
  readonly tokens?: CallTokens;
};

/** A call whose failure is an answer. */
export const callOnce: CallOptions = { mostAttempts: 1 };

/**
 * Makes one call, again after a pause where the class of the error says so. Each attempt goes through the gate.
 * Errors come as the SDK's own.
 */
export type CallAws = <T>(
  send: (options: SendOptions) => Promise<T>,
  signal?: AbortSignal,
  options?: CallOptions,
) => Promise<T>;

export type CallAwsDeps = { readonly clock: Clock; readonly gate: CallGate; readonly random: Random };

const firstRetryPauseMs = 200;

export function callAws({ clock, gate, random }: CallAwsDeps): CallAws {
  const pacer = new CallPacer(clock);
  const attempt = <T>(send: (options: SendOptions) => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    gate.call((ticket) => send({ ticket, ...(signal === undefined ? {} : { abortSignal: signal }) }));
  return async (send, signal, { mostAttempts = Infinity, tokens } = {}) => {
    const inTurn = (): ReturnType<typeof send> =>
      tokens === undefined
        ? attempt(send, signal)
        : pacer.run(tokens, () => attempt(send, signal), { signal, isRefusal: isThrottling });
    for (let made = 1; ; made += 1) {
      try {
        return await inTurn();
      } catch (failure) {
        const error = readableError(failure);
        if (made >= Math.min(mostAttempts, consequences[classifyError(error)].attempts)) throw error;
        await clock.sleep(retryPauseMs(made, random), signal);
      }
    }
  };
}

const isThrottling = (error: unknown): boolean => classifyError(error) === 'throttled';

/** Doubles from one attempt to the next; between half of it and all of it. */
const retryPauseMs = (made: number, random: Random): number =>
  Math.round(firstRetryPauseMs * 2 ** (made - 1) * (0.5 + random.next() / 2));

/**
 * An SDK error in the words of the port. What was aborted, and what is no error of AWS, stays as it is.
 * @param rules where the port's own consequences differ from those of the class
 */
export function asCloudError(error: unknown, rules: RetryRules = {}): unknown {
  if (!(error instanceof Error) || error instanceof CloudError || error.name === 'AbortError') return error;
  const code = awsCodeOf(error);
  const errorClass = classifyError(error);
  if (!('$metadata' in error) && errorClass === 'unknownCode') return error;
  const retry = rules[errorClass] ?? consequences[errorClass].retry;
  return new CloudError(`${code}: ${error.message}`, { code, retry, cause: error });
}
