import type { HttpResponse } from '../http.ts';
import { ApiError, type KubernetesStatus } from '../kubernetes-client.ts';
import { documentContentOf, documentsOf } from '../transport/known-document.ts';
import { readDocumentLines } from './lines.ts';

/** What the answer says; an `ApiError` when the server refused. */
export async function decodeAnswer<T>(response: HttpResponse): Promise<T> {
  await refuseFailure(response);
  const known = documentContentOf(response);
  return (known === undefined ? JSON.parse(await wholeText(response.body)) : known.document) as T;
}

/** Throws the refusal, if the answer is one, and leaves the body of any other answer unread. */
export async function refuseFailure(response: HttpResponse): Promise<void> {
  if (response.status >= 400) throw refusalFromAnswer(response.status, await wholeText(response.body));
}

/** The JSON documents of an answer that goes on. */
export function streamedDocuments<T>({ body }: HttpResponse): AsyncIterable<T> {
  const known = body instanceof Uint8Array ? undefined : documentsOf(body);
  return (known as AsyncIterable<T> | undefined) ?? readDocumentLines<T>(chunksOfBody(body));
}

async function* chunksOfBody(body: HttpResponse['body']): AsyncGenerator<Uint8Array, void, undefined> {
  if (body instanceof Uint8Array) yield body;
  else yield* body;
}

async function wholeText(body: HttpResponse['body']): Promise<string> {
  if (body instanceof Uint8Array) return decodeText(body);
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

const decodeText = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');

/** Proxies and load balancers answer in plain text; their words become the message. */
function refusalFromAnswer(code: number, text: string): ApiError {
  const status = parseStatus(text);
  if (status !== undefined) return new ApiError({ code, ...status });
  const reason = reasonsByStatus[code];
  return new ApiError({
    kind: 'Status',
    status: 'Failure',
    code,
    message: text.trim() === '' ? `the server answered ${code}` : text.trim().slice(0, 1000),
    ...(reason === undefined ? {} : { reason }),
  });
}

function parseStatus(text: string): KubernetesStatus | undefined {
  if (!text.startsWith('{')) return undefined;
  try {
    const body = JSON.parse(text) as Partial<KubernetesStatus>;
    return body.kind === 'Status' ? (body as KubernetesStatus) : undefined;
  } catch {
    return undefined; // cut off on the way: the status line still counts
  }
}

const reasonsByStatus: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  404: 'NotFound',
  405: 'MethodNotAllowed',
  409: 'Conflict',
  410: 'Gone',
  413: 'RequestEntityTooLarge',
  415: 'UnsupportedMediaType',
  422: 'Invalid',
  429: 'TooManyRequests',
  500: 'InternalError',
  503: 'ServiceUnavailable',
  504: 'Timeout',
};
