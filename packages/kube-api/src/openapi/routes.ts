import type { HttpResponse } from '@nodewright/runtime';
import { parseAccept } from '../http/accept.ts';
import { encodeText } from '../http/encoding.ts';
import type { RequestInfo } from '../http/request-info.ts';
import type { OpenApiDocuments } from './documents.ts';

/** Serves `/openapi/v2` and everything below `/openapi/v3`; undefined for other paths. */
export function serveOpenApi(
  documents: OpenApiDocuments,
  { path, query }: RequestInfo,
  headers: Readonly<Record<string, string>>,
): HttpResponse | undefined {
  if (path === '/openapi/v2') return version2(documents, headers['accept']);
  if (path === '/openapi/v3') return answerOpenApi(200, JSON.stringify(documents.index()), 'text/plain; charset=utf-8');
  const place = /^\/openapi\/v3\/(.+)$/.exec(path)?.[1];
  return place === undefined ? undefined : version3(documents, place, query.get('hash'));
}

/** Clients request this type with an at sign, which is not a valid media type; the answer has a dot in its place. */
const protobufType = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';

function version2(documents: OpenApiDocuments, accept: string | undefined): HttpResponse {
  const types = parseAccept(accept).map(({ type }) => type);
  if (types.some((type) => /^(\*\/\*|application\/(\*|json))$/.test(type))) {
    return answerOpenApi(200, JSON.stringify(documents.version2()));
  }
  if (!types.includes(protobufType)) return answerOpenApi(406, '');
  return {
    status: 200,
    headers: { 'content-type': protobufType.replace('@', '.') },
    body: documents.version2Protobuf(),
  };
}

function version3(documents: OpenApiDocuments, place: string, asked: string | null): HttpResponse {
  const text = documents.version3(place);
  if (text === undefined) return answerOpenApi(404, '');
  const hash = documents.hashOf(place);
  const etag = `"${hash}"`;
  if (asked !== null && asked !== hash) {
    return {
      status: 301,
      headers: { etag, location: `/openapi/v3/${place}?hash=${hash}`, vary: 'Accept' },
      body: encodeText(''),
    };
  }
  const lasting = asked === null ? {} : { 'cache-control': 'public, immutable' };
  const response = answerOpenApi(200, text);
  return { ...response, headers: { ...response.headers, etag, vary: 'Accept', ...lasting } };
}

const answerOpenApi = (status: number, text: string, contentType = 'application/json'): HttpResponse => ({
  status,
  headers: { 'content-type': contentType },
  body: encodeText(text),
});
