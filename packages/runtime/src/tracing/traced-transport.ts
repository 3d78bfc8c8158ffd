import type { HttpRequest, Transport } from '../http.ts';
import type { Tracer } from './tracer.ts';

/**
 * A transport whose requests say for which turn they are made. The header Audit-ID is the one that the audit log of an
 * API server takes over.
 */
export const tracedTransport = (transport: Transport, tracer: Tracer): Transport => ({
  send: (request, options) => {
    const turn = tracer.currentTurn();
    if (turn === undefined) return transport.send(request, options);
    const sent = { ...request, headers: { ...request.headers, 'audit-id': turn } };
    return tracer.runRequest(describeRequest(request), async (note) => {
      const answer = await transport.send(sent, options);
      note({ 'http.response.status_code': answer.status });
      return answer;
    });
  },
});

const describeRequest = ({ method, path }: HttpRequest) => ({
  name: `kubernetes ${method}`,
  fields: { 'http.request.method': method, 'url.path': path.split('?')[0] ?? path },
});
