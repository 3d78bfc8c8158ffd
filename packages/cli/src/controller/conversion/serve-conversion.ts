import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { answerConversionReview, conversionEndpoint } from '@nodewright/apis';
import type { KeyPair } from '@nodewright/kube-api';

export type ConversionServer = {
  readonly port: number;
  /** From now on new connections get this certificate. Connections that are open stay. */
  use(serving: KeyPair): void;
  close(): Promise<void>;
};

/** A list of some thousand objects, as API servers send it for a list or at their start. */
const mostReviewBytes = 32 * 1024 * 1024;

/** API servers wait for 30 seconds. */
const reviewTimeoutMs = 30_000;

/**
 * Serves `/convert` over HTTPS on all addresses. Before the first certificate no connection comes about.
 * @throws the socket's error when the port is taken (`EADDRINUSE`)
 */
export async function serveConversion(port: number): Promise<ConversionServer> {
  const server = createServer({ minVersion: 'TLSv1.2', requestTimeout: reviewTimeoutMs }, (request, response) => {
    // A caller that leaves in the middle of its review gets no answer.
    answerConversion(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, () => resolve());
  });
  return {
    port: (server.address() as AddressInfo).port,
    use: (serving) => server.setSecureContext(serving),
    close: () => closeServer(server),
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
}

async function answerConversion(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, text, type } = await convertBody(request);
  // What is left of a refused body is not read.
  if (status >= 400) response.setHeader('connection', 'close');
  response.writeHead(status, { 'content-type': type ?? 'text/plain; charset=utf-8' }).end(text);
}

type TypedAnswer = { readonly status: number; readonly text: string; readonly type?: string };

async function convertBody(request: IncomingMessage): Promise<TypedAnswer> {
  const { pathname } = new URL(request.url ?? '/', 'https://here');
  if (pathname !== conversionEndpoint.path) return { status: 404, text: 'not found\n' };
  if (request.method !== 'POST') return { status: 405, text: 'only POST is served here\n' };
  const body = await readReview(request);
  if (body === undefined) return { status: 413, text: `a review may have ${mostReviewBytes} bytes\n` };
  const review = answerConversionReview(parseReview(body));
  if (review === undefined) {
    return { status: 400, text: 'the body is no ConversionReview of apiextensions.k8s.io/v1\n' };
  }
  return { status: 200, text: JSON.stringify(review), type: 'application/json' };
}

/** @returns `undefined` when the body is too large */
async function readReview(request: IncomingMessage): Promise<string | undefined> {
  if (Number(request.headers['content-length'] ?? 0) > mostReviewBytes) return undefined;
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostReviewBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseReview(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
