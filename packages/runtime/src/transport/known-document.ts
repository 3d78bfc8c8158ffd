import { ObjectNotes } from '@nodewright/apis';
import type { HttpHeaders, HttpResponse } from '../http.ts';

/**
 * Answers in JSON whose content the server has at hand. Their bytes are written on demand, and whoever
 * is in the same process takes the content itself: all readers get the same one, so it must not be changed.
 *
 * The content belongs to the answer as it was made: a wrapper that makes another one of it passes on the bytes alone.
 */
type Content = { readonly document: unknown };

const contents = new ObjectNotes<HttpResponse, Content>();

/** @param write the bytes that say the same as `document`; asked for once, if at all */
export function documentResponse(
  status: number,
  headers: HttpHeaders,
  { document, write }: { readonly document: unknown; readonly write: () => Uint8Array },
): HttpResponse {
  let bytes: Uint8Array | undefined;
  const response = {
    status,
    headers,
    get body(): Uint8Array {
      return (bytes ??= write());
    },
  };
  contents.write(response, { document });
  return response;
}

/** What an answer says, if the server told. */
export const documentContentOf = (response: HttpResponse): Content | undefined => contents.of(response);

/** The same answer with other headers. */
export function withHeaders(response: HttpResponse, headers: HttpHeaders): HttpResponse {
  const content = documentContentOf(response);
  if (content === undefined) return { ...response, headers };
  const { status } = response;
  return documentResponse(status, headers, { ...content, write: () => response.body as Uint8Array });
}

type DocumentStream = { readonly documents: AsyncIterable<unknown>; readonly write: (document: unknown) => Uint8Array };

const streams = new ObjectNotes<AsyncIterable<Uint8Array>, DocumentStream>();

/** A stream of JSON documents, a line each; read either as bytes or, with `documentsOf`, as documents. */
export function documentStream<T>(
  documents: AsyncIterable<T>,
  write: (document: T) => Uint8Array,
): AsyncIterable<Uint8Array> {
  const lines = linesOfDocument(documents, write);
  streams.write(lines, { documents, write: write as DocumentStream['write'] });
  return lines;
}

async function* linesOfDocument<T>(
  documents: AsyncIterable<T>,
  write: (document: T) => Uint8Array,
): AsyncGenerator<Uint8Array> {
  for await (const document of documents) yield write(document);
}

/** The documents of a stream, if the server told. */
export const documentsOf = (body: AsyncIterable<Uint8Array>): AsyncIterable<unknown> | undefined =>
  streams.of(body)?.documents;

/** The same answer; what it streams, if it does, comes by way of `pass`. */
export function withStream(
  response: HttpResponse,
  pass: <T>(parts: AsyncIterable<T>) => AsyncIterable<T>,
): HttpResponse {
  if (contents.of(response) !== undefined) return response;
  const { body } = response;
  if (body instanceof Uint8Array) return response;
  const known = streams.of(body);
  return { ...response, body: known ? documentStream(pass(known.documents), known.write) : pass(body) };
}
