import { setMaxListeners } from 'node:events';
import type { Transport } from '../http.ts';
import { endOnAbort } from './abort.ts';
import { withStream } from './known-document.ts';

/** A transport that can be cut, as by the death of the process that uses it. */
export type SeverableTransport = Transport & {
  /** From now on no request leaves and no answer arrives; streams end. What the server has begun to serve, it serves. */
  sever(): void;
};

export function severableTransport(transport: Transport): SeverableTransport {
  const cut = new AbortController();
  setMaxListeners(0, cut.signal); // one for each stream that is open
  return {
    sever: () => cut.abort(new Error('the connection was cut')),
    async send(request, options) {
      cut.signal.throwIfAborted();
      const response = await transport.send(request, options);
      cut.signal.throwIfAborted();
      return withStream(response, (parts) => endOnAbort(parts, cut.signal));
    },
  };
}
