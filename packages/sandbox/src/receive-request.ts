import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { type DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { seconds } from '@nodewright/apis';
import { type Clock, type HttpPeer, type HttpRequest, mostBodyBytes } from '@nodewright/runtime';

export type IncomingRequest = IncomingMessage | Http2ServerRequest;

/** How long a client may take for the body of a request. */
const bodyTimeoutMs = seconds(60);

/** A client took too long for the body of a request. */
export class SlowRequestError extends Error {
  override readonly name = 'SlowRequestError';
}

export function receiveHead(request: IncomingRequest): Omit<HttpRequest, 'body'> {
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
  const { subject, fingerprint256 } = socket.getPeerCertificate() as Partial<DetailedPeerCertificate>;
  if (subject?.CN === undefined) return undefined;
  return {
    clientCertificate: {
      commonName: joinValues(subject.CN),
      organizations: allValues(subject.O),
      ...(fingerprint256 !== undefined && { fingerprint: fingerprint256.replaceAll(':', '').toLowerCase() }),
    },
  };
}

/** The socket of an HTTP/2 request is a proxy that still answers for its TLS. */
const isTlsProxy = (socket: unknown): socket is TLSSocket =>
  typeof socket === 'object' && socket !== null && 'getPeerCertificate' in socket;

const allValues = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : [value].flat();

const joinValues = (value: string | readonly string[]): string => allValues(value)[0] ?? '';

/**
 * Reads the body, or one byte more than the limit of all handlers, so that the handler refuses it with its own error.
 * Node discards the rest. A body with a `Content-Encoding` stays as it is: no server decompresses anything.
 * @throws SlowRequestError when the body takes longer than its time limit
 */
export async function receiveBody(request: IncomingRequest, clock: Clock): Promise<Uint8Array> {
  const ended = new AbortController();
  try {
    return await Promise.race([readBody(request), throwWhenSlow(clock, ended.signal)]);
  } finally {
    ended.abort();
  }
}

async function throwWhenSlow(clock: Clock, ended: AbortSignal): Promise<never> {
  await clock.sleep(bodyTimeoutMs, ended);
  throw new SlowRequestError(`the body took longer than ${bodyTimeoutMs} ms`);
}

async function readBody(request: IncomingRequest): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length > mostBodyBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, mostBodyBytes + 1);
}
