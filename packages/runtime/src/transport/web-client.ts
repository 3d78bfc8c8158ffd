import { type Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { CallGate } from '../clock.ts';
import type { HttpHeaders } from '../http.ts';
import { limitTime } from '../time/limit-time.ts';

/** One request to a server that people name in an object, such as a webhook. */
export type WebRequest = {
  readonly method: 'GET' | 'POST';
  /** `http:` or `https:`. Its user and password become basic authentication. */
  readonly url: string;
  readonly headers?: HttpHeaders;
  readonly body?: string;
  /** From the first byte sent to the last one received. */
  readonly timeoutMs: number;
};

/** Every way a request can end. A redirect is an answer: it is not followed. */
export type WebAnswer =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  /** `because` names no path, query or password: they may be secrets. */
  | { readonly kind: 'unreachable'; readonly because: string };

/** HTTP to servers that are neither the API server's nor the cloud's. Never throws. */
export interface WebClient {
  send(request: WebRequest, signal?: AbortSignal): Promise<WebAnswer>;
}

/** The largest answer that is read. */
export const mostAnswerBytes = 1024 * 1024;

export type WebClientOptions = {
  readonly gate: CallGate;
  /** How servers are reached, with proxies and authorities [those of Node]. */
  readonly agents?: { readonly httpAgent: HttpAgent; readonly httpsAgent: HttpsAgent };
};

/** A client over sockets. */
export const createWebClient = ({ gate, agents }: WebClientOptions): WebClient => ({
  send: (request, signal) => gate.outside(() => exchangeWeb(request, agents, signal)),
});

/** Reaches no host: for worlds that have no network. */
export const unreachableWeb: WebClient = {
  send: () => Promise.resolve({ kind: 'unreachable', because: 'this controller has no network' }),
};

async function exchangeWeb(
  request: WebRequest,
  agents: WebClientOptions['agents'],
  signal: AbortSignal | undefined,
): Promise<WebAnswer> {
  if (!URL.canParse(request.url)) return { kind: 'unreachable', because: 'its URL cannot be read' };
  const url = new URL(request.url);
  const limit = limitTime(request.timeoutMs, signal);
  try {
    return await openExchange(url, request, { agents, signal: limit.signal });
  } catch (error) {
    return { kind: 'unreachable', because: `${url.origin}: ${reasonOfFailure(error, request)}` };
  } finally {
    limit.end();
  }
}

type ExchangeParts = { readonly agents: WebClientOptions['agents']; readonly signal: AbortSignal };

function openExchange(url: URL, request: WebRequest, { agents, signal }: ExchangeParts): Promise<WebAnswer> {
  const { method, headers = {}, body = '' } = request;
  const isPlain = url.protocol === 'http:';
  const agent = isPlain ? agents?.httpAgent : agents?.httpsAgent;
  const bytes = Buffer.from(body);
  const length = method === 'GET' ? {} : { 'content-length': String(bytes.length) };
  return new Promise((resolve, reject) => {
    const sent = (isPlain ? httpRequest : httpsRequest)(url, {
      method,
      signal,
      headers: { accept: 'application/json, */*;q=0.5', ...headers, ...length },
      ...(agent === undefined ? {} : { agent }),
    });
    sent.once('error', reject);
    sent.once('response', (message) => {
      readAnswer(message).then(resolve, (error: unknown) => {
        sent.destroy();
        reject(error);
      });
    });
    sent.end(bytes);
  });
}

async function readAnswer(message: IncomingMessage): Promise<WebAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of message as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > mostAnswerBytes) throw new Error(`its answer has more than ${mostAnswerBytes} bytes`);
    chunks.push(chunk);
  }
  return { kind: 'answered', status: message.statusCode ?? 0, text: Buffer.concat(chunks).toString('utf8') };
}

function reasonOfFailure(error: unknown, { timeoutMs }: WebRequest): string {
  const { name, code, message } = error as Error & { readonly code?: string };
  const isAborted = name === 'AbortError' || name === 'TimeoutError' || code === 'ABORT_ERR';
  return isAborted ? `no answer within ${timeoutMs / 1_000} s` : message || (code ?? 'the connection failed');
}
