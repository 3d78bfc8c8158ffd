import type { CallGate, HttpResponse as Answer, RequestHandler } from '@nodewright/runtime';
import { HttpResponse, type HttpRequest } from '@smithy/core/transport';
import { signalOfOptions, ticketOfOptions } from './send-options.ts';

/** What an SDK client sends its requests through. */
export type SdkRequestHandler = {
  handle(request: HttpRequest, options?: object): Promise<{ response: HttpResponse }>;
};

/**
 * Answers an SDK client from a handler in this process, when the gate says that it is the call's turn. The bytes are those of
 * the wire.
 */
export const inProcessRequestHandler = (gate: CallGate, handler: RequestHandler): SdkRequestHandler => ({
  async handle(request, options = {}) {
    const signal = signalOfOptions(options);
    const ticket = ticketOfOptions(options);
    await gate.park(ticket, signal, operationOfRequest(request));
    const answer = await handler(
      {
        method: request.method,
        path: withQuery(request.path, request.query),
        headers: lowerCase(request.headers),
        body: toRequestBytes(request.body),
      },
      signal,
      { wait: (work) => gate.standAside(ticket, work) },
    );
    return { response: await responseOf(answer) };
  },
});

async function responseOf(answer: Answer): Promise<HttpResponse> {
  const body = answer.body instanceof Uint8Array ? answer.body : await collected(answer.body);
  return new HttpResponse({ statusCode: answer.status, headers: { ...answer.headers }, body });
}

/** `AmazonSSM.GetParameters`, `DescribeImages`, `GET /clusters/demo`: as the service's protocol says it. */
function operationOfRequest({ method, path, headers, body }: HttpRequest): string {
  const target = lowerCase(headers)['x-amz-target'];
  const [, action] = /(?:^|&)Action=(\w+)/.exec(typeof body === 'string' ? body : '') ?? [];
  return target ?? action ?? `${method} ${path}`;
}

function withQuery(path: string, query: HttpRequest['query']): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    [value ?? ''].flat().map((each) => `${encodeURIComponent(key)}=${encodeURIComponent(each)}`),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

const lowerCase = (headers: HttpRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

function toRequestBytes(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return Buffer.from(typeof body === 'string' ? body : '');
}

async function collected(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const chunk of chunks) parts.push(chunk);
  return Buffer.concat(parts);
}
