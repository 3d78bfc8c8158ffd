import { CloudError } from '@nodewright/ports';
import type { CallGate, Clock, Random, Ticket } from '@nodewright/runtime';
import { codeOf, meaningOf, type ErrorMeaning } from './error-codes.ts';
import { readableError } from './unreadable-answer.ts';

/** What goes along with one attempt, as the second argument of an SDK client's `send`. */
type SendOptions = { readonly abortSignal?: AbortSignal; readonly ticket: Ticket };

type CallOptions = {
  /** How often a call is made at most [4]. */
  readonly attempts: number;
};

/** A call whose failure is an answer. */
export const once: CallOptions = { attempts: 1 };

/**
 * Makes one call, again after a pause when AWS is busy or at fault. Each attempt goes through the gate.
 * Errors come as the SDK's own.
 */
export type CallAws = <T>(
  send: (options: SendOptions) => Promise<T>,
  signal?: AbortSignal,
  options?: CallOptions,
) => Promise<T>;

export type CallAwsDeps = { readonly clock: Clock; readonly gate: CallGate; readonly random: Random };

const patient: CallOptions = { attempts: 4 };
const firstPauseMs = 200;

export function callAws({ clock, gate, random }: CallAwsDeps): CallAws {
  const attempt = <T>(send: (options: SendOptions) => Promise<T>, signal: AbortSignal | undefined): Promise<T> =>
    gate.call((ticket) => send({ ticket, ...(signal === undefined ? {} : { abortSignal: signal }) }));
  return async (send, signal, { attempts } = patient) => {
    for (let made = 1; ; made += 1) {
      try {
        return await attempt(send, signal);
      } catch (failure) {
        const error = readableError(failure);
        if (made === attempts || !isPassing(error)) throw error;
        await clock.sleep(pauseMs(made, random), signal);
      }
    }
  };
}

const isPassing = (error: unknown): boolean => ['throttled', 'serverFault'].includes(meaningOf(error));

/** Doubles from one attempt to the next; between half of it and all of it. */
const pauseMs = (made: number, random: Random): number =>
  Math.round(firstPauseMs * 2 ** (made - 1) * (0.5 + random.next() / 2));

const retries: Readonly<Record<ErrorMeaning, CloudError['retry']>> = {
  insufficientCapacity: 'backOff',
  notFound: 'backOff',
  alreadyExists: 'soon',
  throttled: 'backOff',
  serverFault: 'backOff',
  unauthorized: 'backOff',
  idempotencyMismatch: 'backOff',
  other: 'afterSpecChange',
};

/** An SDK error in the words of the port; anything that is none, and what was aborted, stays as it is. */
export function asCloudError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof CloudError || error.name === 'AbortError') return error;
  const code = codeOf(error);
  if (!('$metadata' in error) && meaningOf(error) === 'other') return error;
  return new CloudError(`${code}: ${error.message}`, { code, retry: retries[meaningOf(error)], cause: error });
}
