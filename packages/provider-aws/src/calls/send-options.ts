import type { Ticket } from '@nodewright/runtime';

/** Returns the signal among the options of a client's `send`. Without one the call is never given up. */
export function signalOfOptions(options: object): AbortSignal {
  return 'abortSignal' in options && options.abortSignal instanceof AbortSignal
    ? options.abortSignal
    : new AbortController().signal;
}

/**
 * Returns the ticket among the options of a client's `send`.
 * @throws Error when the call did not come through `callAws`
 */
export function ticketOfOptions(options: object): Ticket {
  if ('ticket' in options && typeof options.ticket === 'number') return options.ticket;
  throw new Error('an AWS call was made without a ticket; send it through callAws');
}
