import { minutes, seconds } from '@nodewright/apis';
import { Agent as HttpAgent, type ClientRequest, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { HttpProxyAgent, HttpsProxyAgent } from 'hpagent';
import { ConnectionError } from '../connection-error.ts';
import type { HttpHeaders, HttpRequest, HttpResponse, Transport } from '../http.ts';

export type TlsOptions = {
  /** PEM. Without it, the authorities that Node trusts. */
  readonly ca?: string | Buffer;
  /** PEM of a client certificate and its key. */
  readonly cert?: string | Buffer;
  readonly key?: string | Buffer;
  readonly servername?: string;
  readonly rejectUnauthorized?: boolean;
};

/** How a request gets to its server: over which sockets, and with which credentials. */
export type Connection = { readonly agent: HttpAgent | HttpsAgent; readonly headers: HttpHeaders };

export type SocketOptions = TlsOptions & {
  /** `https://127.0.0.1:6443`, with a path if the server is behind one. */
  readonly server: string;
  /** A bearer token. */
  readonly token?: string;
};

/** HTTP/1.1 over sockets that are kept alive. Bodies are always streams. */
export function socketTransport({ server, token, ...tls }: SocketOptions): Transport {
  const headers: HttpHeaders = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const connection = { agent: keptAliveAgent(new URL(server), tls), headers };
  return transportOver(server, () => Promise.resolve(connection));
}

/** A transport whose credentials may change: it asks before every request. */
export function transportOver(server: string, connect: () => Promise<Connection>): Transport {
  const base = new URL(server);
  return {
    send: async (request, { signal }) => exchange({ base, request, signal, connection: await connect() }),
  };
}

const tcpProbeMs = seconds(30);

/**
 * Probes find out when the other end of a watch has vanished without a word.
 * @param proxy that the server is reached through, if any
 */
export function keptAliveAgent({ protocol }: URL, tls: TlsOptions, proxy?: URL): HttpAgent | HttpsAgent {
  const options = { keepAlive: true, keepAliveMsecs: tcpProbeMs };
  if (proxy !== undefined) {
    const through = { ...options, proxy };
    return protocol === 'http:' ? new HttpProxyAgent(through) : new HttpsProxyAgent({ ...through, ...tls });
  }
  return protocol === 'http:' ? new HttpAgent(options) : new HttpsAgent({ ...options, ...tls });
}

type SocketExchange = {
  readonly base: URL;
  readonly request: HttpRequest;
  readonly connection: Connection;
  readonly signal: AbortSignal | undefined;
};

/** Longer than any answer of an API server takes; watches have no limit. */
const silenceMs = minutes(1);

function exchange(all: SocketExchange): Promise<HttpResponse> {
  const { request, signal } = all;
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const sent = openRequest(all);
    const abort = (): void => void sent.destroy(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    sent.once('close', () => signal?.removeEventListener('abort', abort));
    sent.once('response', (message) => {
      message.socket.setKeepAlive(true, tcpProbeMs);
      resolve({
        status: message.statusCode ?? 0,
        headers: responseHeadersOf(message),
        body: chunksOfMessage(message, all),
      });
    });
    sent.once('error', (error) => reject(explainFailure(all, error)));
    if (!isStream(request)) sent.setTimeout(silenceMs, () => sent.destroy(new Error(`silent for ${silenceMs} ms`)));
    sent.end(request.body);
  });
}

function openRequest({ base, request, connection }: SocketExchange): ClientRequest {
  const dial = base.protocol === 'http:' ? httpRequest : httpsRequest;
  return dial({
    protocol: base.protocol,
    hostname: base.hostname.replace(/^\[|\]$/g, ''),
    port: base.port,
    path: base.pathname.replace(/\/$/, '') + request.path,
    method: request.method,
    agent: connection.agent,
    headers: { ...request.headers, ...connection.headers, ...lengthOf(request) },
  });
}

const lengthOf = ({ body, method }: HttpRequest): HttpHeaders =>
  body.length === 0 && method === 'GET' ? {} : { 'content-length': String(body.length) };

/** Leaving the iteration early closes the socket. */
async function* chunksOfMessage(
  message: IncomingMessage,
  all: SocketExchange,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const chunk of message) yield chunk as Uint8Array;
  } catch (error) {
    throw explainFailure(all, error);
  }
}

const explainFailure = ({ base, request, signal }: SocketExchange, error: unknown): unknown =>
  signal?.aborted === true
    ? signal.reason
    : new ConnectionError(`${request.method} ${base.origin}${request.path}`, error);

const isStream = ({ path }: HttpRequest): boolean => /[?&](watch|follow)=(true|1)\b/.test(path);

const responseHeadersOf = ({ headers }: IncomingMessage): HttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
