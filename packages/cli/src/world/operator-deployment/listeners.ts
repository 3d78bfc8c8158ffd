import { Duplex } from 'node:stream';
import { type ByteConnection, createTextServer, type TextRoutes } from '@nodewright/runtime';

/** Serves short texts on a connection that no socket has. */
export function serveTextsOn(routes: TextRoutes): (connection: ByteConnection) => void {
  const server = createTextServer(routes);
  return (connection) => void server.emit('connection', duplexOf(connection));
}

function duplexOf({ incoming, ...connection }: ByteConnection): Duplex {
  const duplex = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _, done) => {
      connection.send(chunk);
      done();
    },
    final: (done) => {
      connection.end();
      done();
    },
  });
  void feed(duplex, incoming);
  return duplex;
}

async function feed(duplex: Duplex, incoming: ByteConnection['incoming']): Promise<void> {
  try {
    for await (const bytes of incoming) duplex.push(bytes);
  } finally {
    duplex.push(null);
  }
}
