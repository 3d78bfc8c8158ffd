import { createServer as createPlainServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { HttpPeer, HttpRequest, HttpResponse, RequestHandler } from '@nodewright/runtime';

/** PEM texts. */
export type TlsFiles = {
  readonly key: string;
  readonly cert: string;
  /** Who signs client certificates; without it none is asked for. */
  readonly ca?: string;
};

export type ListenOptions = {
  /** Loopback unless said otherwise. */
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port: number;
  /** With it the server speaks HTTP/2 and HTTP/1.1 over TLS, without it plain HTTP/1.1. */
  readonly tls?: TlsFiles;
};

export type Listening = {
  readonly host: string;
  readonly port: number;
  /** `https://127.0.0.1:6443`. */
  readonly url: string;
  /** Ends open requests too. */
  close(): Promise<void>;
};

/** Another process has the port. */
export class PortTakenError extends Error {
  override readonly name = 'PortTakenError';
  readonly port: number;

  constructor(port: number, options?: ErrorOptions) {
    super(`port ${port} is already taken; choose another one, or 0 for any free one`, options);
    this.port = port;
  }
}

type IncomingRequest = IncomingMessage | Http2ServerRequest;
type OutgoingResponse = ServerResponse | Http2ServerResponse;

/** Puts a request handler on a socket. Throws `PortTakenError` when the port is not free. */
export async function listenOn(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port, tls } = options;
  const serve = (request: IncomingRequest, response: OutgoingResponse): void =>
    void answerRequest(handler, request, response);
  const server = tls === undefined ? createPlainServer(serve) : secureServer(tls, serve);
  const connections = connectionsOf(server);
  await bindServer(server, host, port);
  const address = server.address() as AddressInfo;
  return {
    host,
    port: address.port,
    url: `${tls === undefined ? 'http' : 'https'}://${host}:${address.port}`,
    close: () => closed(server, connections),
  };
}

/** kubectl opens and cancels many streams on one connection, far more than Node takes for an attack. */
const streamResets = { streamResetBurst: 100_000, streamResetRate: 10_000 };

function secureServer(
  { key, cert, ca }: TlsFiles,
  serve: (request: IncomingRequest, response: OutgoingResponse) => void,
): Http2SecureServer {
  const clientCertificates = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: false };
  return createSecureServer({ key, cert, allowHTTP1: true, ...clientCertificates, ...streamResets }, serve);
}

type Destroyable = { destroy(): void };

/** Everything that would keep a closed server alive. */
function connectionsOf(server: Server | Http2SecureServer): Set<Destroyable> {
  const open = new Set<Destroyable>();
  const remember = (connection: Destroyable & { once(event: 'close', listener: () => void): unknown }): void => {
    open.add(connection);
    connection.once('close', () => open.delete(connection));
  };
  server.on('connection', (socket: Socket) => remember(socket));
  server.on('session', (session: ServerHttp2Session) => remember(session));
  return open;
}

const bindServer = (server: Server | Http2SecureServer, host: string, port: number): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(error.code === 'EADDRINUSE' ? new PortTakenError(port, { cause: error }) : error),
    );
    server.listen(port, host, () => resolve());
  });

function closed(server: Server | Http2SecureServer, connections: ReadonlySet<Destroyable>): Promise<void> {
  const done = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  for (const connection of connections) connection.destroy();
  return done;
}

async function answerRequest(
  handler: RequestHandler,
  request: IncomingRequest,
  response: OutgoingResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    const received = { ...headOf(request), body: await bodyOf(request) };
    await writeResponse(await handler(received, gone.signal), response, gone.signal);
  } catch (error) {
    if (!gone.signal.aborted) fail(response, error);
  }
}

function headOf(request: IncomingRequest): Omit<HttpRequest, 'body'> {
  const peer = peerOf(request.socket);
  return {
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: headersOfRequest(request),
    ...(peer && { peer }),
  };
}

/** HTTP/2 has `:authority` where HTTP/1.1 has `host`. */
function headersOfRequest({ headers }: IncomingRequest): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    value === undefined || name.startsWith(':') ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]],
  );
  const authority = headers[':authority'];
  return Object.fromEntries(typeof authority === 'string' ? [['host', authority], ...entries] : entries);
}

/** The subject of a client certificate that our own authority signed. */
function peerOf(socket: unknown): HttpPeer | undefined {
  if (!(socket instanceof TLSSocket) && !isTlsProxy(socket)) return undefined;
  if (!socket.authorized) return undefined;
  const subject = (socket.getPeerCertificate() as Partial<DetailedPeerCertificate>).subject;
  if (subject?.CN === undefined) return undefined;
  return { clientCertificate: { commonName: joinValues(subject.CN), organizations: allValues(subject.O) } };
}

/** The socket of an HTTP/2 request is a proxy that still answers for its TLS. */
const isTlsProxy = (socket: unknown): socket is TLSSocket =>
  typeof socket === 'object' && socket !== null && 'getPeerCertificate' in socket;

const allValues = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

const joinValues = (value: string | readonly string[]): string => allValues(value)[0] ?? '';

async function bodyOf(request: IncomingRequest): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

async function writeResponse(
  { status, headers, body }: HttpResponse,
  response: OutgoingResponse,
  gone: AbortSignal,
): Promise<void> {
  response.writeHead(status, allowedHeaders(headers));
  if (body instanceof Uint8Array) {
    response.end(Buffer.from(body.buffer, body.byteOffset, body.byteLength));
    return;
  }
  (response as ServerResponse).flushHeaders?.();
  for await (const chunk of body) {
    if (gone.aborted) return;
    if (!(response as ServerResponse).write(chunk)) await drained(response, gone);
  }
  response.end();
}

/** These belong to the connection; HTTP/2 refuses them. */
const ofConnection: ReadonlySet<string> = new Set(['connection', 'transfer-encoding', 'keep-alive', 'upgrade']);

const allowedHeaders = (headers: HttpResponse['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ofConnection.has(name)));

const drained = (response: OutgoingResponse, gone: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      gone.removeEventListener('abort', go);
      resolve();
    };
    (response as ServerResponse).once('drain', go);
    gone.addEventListener('abort', go);
    if (gone.aborted) go();
  });

/** A handler that throws is a defect; the client gets to know that much, the rest is for whoever runs the server. */
function fail(response: OutgoingResponse, error: unknown): void {
  if (response.headersSent) {
    response.end();
    return;
  }
  response.writeHead(500, { 'content-type': 'text/plain; charset=utf-8' });
  response.end(`internal error: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
}
