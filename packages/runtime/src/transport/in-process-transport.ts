import type { CallGate } from '../clock.ts';
import type { HttpPeer, HttpRequest, HttpResponse, RequestHandler, Serving, Transport } from '../http.ts';
import { abortOn, endOnAbort } from './abort.ts';
import { withStream } from './known-document.ts';

export type InProcessOptions = {
  /** Who the server takes the caller for. */
  readonly peer?: HttpPeer;
};

/**
 * Calls a handler in this process, when the gate says that it is this call's turn. The bytes are those of the wire; an answer
 * whose content the handler knows is not written for a client that takes the content.
 */
export function inProcessTransport(
  gate: CallGate,
  handler: RequestHandler,
  { peer }: InProcessOptions = {},
): Transport {
  const withPeer = (request: HttpRequest): HttpRequest => (peer === undefined ? request : { ...request, peer });
  return {
    async send(request, { ticket, signal }): Promise<HttpResponse> {
      await gate.park(ticket, signal);
      const serving: Serving = {
        wait: (work) => gate.standAside(ticket, work),
        handOver: (work) => gate.handOver(work),
      };
      const answer = handler(withPeer(request), signal ?? new AbortController().signal, serving);
      if (signal === undefined) return answer;
      const response = await abortOn(answer, signal);
      return withStream(response, (parts) => endOnAbort(parts, signal));
    },
  };
}
