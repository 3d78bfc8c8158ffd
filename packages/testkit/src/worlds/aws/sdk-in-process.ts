import type { RequestHandler } from '@nodewright/runtime';
import type { AccessKey } from '@nodewright/aws-endpoints';
import { HttpResponse, type HttpRequest } from '@smithy/core/transport';

const anyKey: AccessKey = { accessKeyId: 'test', secretAccessKey: 'test' };

/** Client options that send an SDK client's requests into a handler of the same process, as bytes. */
export const inProcess = (
  handle: RequestHandler,
  region = 'us-east-1',
  credentials: AccessKey & { readonly sessionToken?: string } = anyKey,
) => ({
  region,
  endpoint: 'http://sandbox.invalid',
  credentials,
  maxAttempts: 1,
  requestHandler: {
    async handle(request: HttpRequest, options: { abortSignal?: unknown } = {}): Promise<{ response: HttpResponse }> {
      const signal = options.abortSignal instanceof AbortSignal ? options.abortSignal : new AbortController().signal;
      const answer = await handle(
        {
          method: request.method,
          path: withQuery(request.path, request.query),
          headers: lowerCase(request.headers),
          body: bytesOf(request.body),
        },
        signal,
      );
      const body = answer.body instanceof Uint8Array ? answer.body : new Uint8Array();
      return { response: new HttpResponse({ statusCode: answer.status, headers: { ...answer.headers }, body }) };
    },
  },
});

function withQuery(path: string, query: HttpRequest['query']): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value ?? '']).map(
      (each) => `${encodeURIComponent(key)}=${encodeURIComponent(each)}`,
    ),
  );
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`;
}

const lowerCase = (headers: HttpRequest['headers']): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

const bytesOf = (body: unknown): Uint8Array =>
  body instanceof Uint8Array ? body : Buffer.from(typeof body === 'string' ? body : '');
