import type { ByteConnection } from '@nodewright/runtime';
import { SpdySession, type SpdyStream } from './spdy/session.ts';
import type { UpgradeProtocol } from './upgrade.ts';
import { WebSocketMessages } from './websocket/web-socket.ts';

/** The WebSocket that carries a whole SPDY connection. */
export const tunnelProtocol = 'SPDY/3.1+portforward.k8s.io';

export const portForwardProtocol = 'portforward.k8s.io';

type Listener = (connection: ByteConnection) => void;

/**
 * Serves the connections that a client forwards. For each it opens two streams with the same `requestID`: one for what
 * goes wrong, one for the data.
 * @param listener who listens on a port
 */
export async function servePortForward(
  connection: ByteConnection,
  protocol: UpgradeProtocol,
  listener: (port: number) => Listener | undefined,
): Promise<void> {
  const session = new SpdySession(protocol === 'spdy' ? connection : tunneled(connection));
  const errors = new Map<string, SpdyStream>();
  for await (const stream of session.streams()) {
    const { streamtype: type, port = '', requestid: id = '' } = stream.headers;
    if (type === 'error') errors.set(id, stream);
    else forward(stream, Number(port), { error: errors.get(id), listener });
  }
}

type Forwarding = {
  readonly error: SpdyStream | undefined;
  readonly listener: (port: number) => Listener | undefined;
};

function forward(data: SpdyStream, port: number, { error, listener }: Forwarding): void {
  const connect = listener(port);
  if (connect === undefined) {
    error?.send(Buffer.from(`failed to connect to localhost:${port} inside the pod: connection refused`));
    error?.end();
    return data.end();
  }
  connect({
    incoming: data.incoming,
    send: (bytes) => data.send(bytes),
    end: () => {
      data.end();
      error?.end();
    },
  });
}

function tunneled(connection: ByteConnection): ByteConnection {
  const socket = new WebSocketMessages(connection);
  return { incoming: socket.messages(), send: (bytes) => socket.send(bytes), end: () => socket.close() };
}
