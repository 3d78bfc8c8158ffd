import { createServer as createPlainServer, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { type Clock, type HttpResponse, mostTargetLength, realTime, type RequestHandler } from '@nodewright/runtime';
import { seconds } from '@nodewright/apis';
import { answerDefect, type DefectReport } from './answer-defect.ts';
import { takeUpgrades } from './take-upgrades.ts';
import { type IncomingRequest, receiveBody, receiveHead, SlowRequestError } from './receive-request.ts';

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
  /** Called with what a handler threw. The client gets a 500 with the id of the report. */
  readonly onDefect?: (report: DefectReport) => void;
  /** The clock of the time limits for slow clients: real time when left out. */
  readonly clock?: Clock;
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

type OutgoingResponse = ServerResponse | Http2ServerResponse;

/** Puts a request handler on a socket. Throws `PortTakenError` when the port is not free. */
export async function listenOn(handler: RequestHandler, options: ListenOptions): Promise<Listening> {
  const { host = '127.0.0.1', port, tls, clock = realTime().clock, onDefect = () => {} } = options;
  const serve = (request: IncomingRequest, response: OutgoingResponse): void =>
    void answerRequest({ handler, clock, onDefect }, request, response);
  const server = tls === undefined ? plainServer(serve) : secureServer(tls, serve);
  if (tls !== undefined) takeUpgrades(server, { handler, onDefect });
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

/** Node answers longer headers with 431, and headers that take longer with 408. */
const headerLimits = { maxHeaderSize: 2 * mostTargetLength, headersTimeout: seconds(30) };

const plainServer = (serve: (request: IncomingRequest, response: OutgoingResponse) => void): Server =>
  createPlainServer(headerLimits, serve);

/** As the API server of Kubernetes has it by default. */
const mostStreamsPerConnection = 1_000;

const http2Settings = { maxHeaderListSize: headerLimits.maxHeaderSize, maxConcurrentStreams: mostStreamsPerConnection };

/** kubectl opens and cancels many streams on one connection, far more than Node takes for an attack. */
const streamResets = { streamResetBurst: 100_000, streamResetRate: 10_000 };

function secureServer(
  { key, cert, ca }: TlsFiles,
  serve: (request: IncomingRequest, response: OutgoingResponse) => void,
): Http2SecureServer {
  const clientCertificates = ca === undefined ? {} : { ca, requestCert: true, rejectUnauthorized: false };
  return createSecureServer(
    { key, cert, allowHTTP1: true, settings: http2Settings, ...clientCertificates, ...streamResets },
    serve,
  );
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

type Serving = {
  readonly handler: RequestHandler;
  readonly clock: Clock;
  readonly onDefect: (report: DefectReport) => void;
};

async function answerRequest(
  { handler, clock, onDefect }: Serving,
  request: IncomingRequest,
  response: OutgoingResponse,
): Promise<void> {
  const gone = new AbortController();
  response.on('close', () => gone.abort());
  response.on('error', () => gone.abort());
  try {
    const received = { ...receiveHead(request), body: await receiveBody(request, clock) };
    await writeResponse(await handler(received, gone.signal), response, gone.signal);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (error instanceof SlowRequestError) return endSlowRequest(request, response);
    const answer = answerDefect(error, request, onDefect);
    if (response.headersSent) response.end();
    else await writeResponse(answer, response, gone.signal);
  }
}

/** The rest of the request is not read, so the connection carries no further one. */
function endSlowRequest(request: IncomingRequest, response: OutgoingResponse): void {
  response.writeHead(408, request.httpVersionMajor === 1 ? { connection: 'close' } : {});
  response.end(() => request.destroy());
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
