import type { HttpHeaders, HttpRequest, HttpResponse } from '@nodewright/runtime';
import type { AwsError } from './aws-error.ts';
import type { OperationSchema, Structure } from './shape.ts';

/** What a request asks for, once its protocol has read it. */
export type Decoded = { readonly operation: OperationSchema; readonly input: Structure };

/** One of the wire protocols, bound to one service. */
export interface Protocol {
  /** @throws AwsError in the service's words when no operation is meant */
  decode(request: HttpRequest, operations: readonly OperationSchema[]): Decoded;
  encode(operation: OperationSchema, output: Structure, requestId: string): HttpResponse;
  /** What `encode` answers before the body, whatever the output is. */
  head(operation: OperationSchema, requestId: string): Head;
  refuse(error: AwsError, requestId: string): HttpResponse;
}

export function answer(status: number, content: Content & { readonly body: string }): HttpResponse {
  return { ...headOf(status, content), body: Buffer.from(content.body) };
}

/** What an answer says before its body. */
export type Head = Pick<HttpResponse, 'status' | 'headers'>;

type Content = { readonly contentType: string; readonly requestId: string; readonly headers?: HttpHeaders };

export const headOf = (status: number, { contentType, requestId, headers }: Content): Head => ({
  status,
  headers: { 'content-type': contentType, 'x-amzn-requestid': requestId, ...headers },
});

export const textOf = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');

export const splitPath = (path: string): { readonly pathname: string; readonly query: string } => {
  const mark = path.indexOf('?');
  return mark < 0 ? { pathname: path, query: '' } : { pathname: path.slice(0, mark), query: path.slice(mark + 1) };
};
