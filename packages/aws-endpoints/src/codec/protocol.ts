import type { HttpHeaders, HttpRequest, HttpResponse } from '@nodewright/runtime';
import type { AwsError } from './aws-error.ts';
import type { OperationSchema, WireStructure } from './shape.ts';

/** What a request asks for, once its protocol has read it. */
export type Decoded = { readonly operation: OperationSchema; readonly input: WireStructure };

/** One of the wire protocols, bound to one service. */
export interface Protocol {
  /** Whether requests are forms, which have no place for empty structures and lists. */
  readonly hasFormInput: boolean;
  /** @throws AwsError in the service's words when no operation is meant */
  decode(request: HttpRequest, operations: readonly OperationSchema[]): Decoded;
  encode(operation: OperationSchema, output: WireStructure, requestId: string): HttpResponse;
  refuse(error: AwsError, requestId: string): HttpResponse;
}

type Content = {
  readonly contentType: string;
  readonly requestId: string;
  readonly body: string;
  readonly headers?: HttpHeaders;
};

export const answerWith = (status: number, { contentType, requestId, body, headers }: Content): HttpResponse => ({
  status,
  headers: { 'content-type': contentType, 'x-amzn-requestid': requestId, ...headers },
  body: Buffer.from(body),
});

export const decodeBodyText = (body: Uint8Array): string =>
  Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');

export const splitPath = (path: string): { readonly pathname: string; readonly query: string } => {
  const mark = path.indexOf('?');
  return mark < 0 ? { pathname: path, query: '' } : { pathname: path.slice(0, mark), query: path.slice(mark + 1) };
};
