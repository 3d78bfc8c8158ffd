import { randomUUID } from 'node:crypto';
import { describeDefect, HandlerDefect, type HttpResponse } from '@nodewright/runtime';

/** What a handler threw, for the log of the server. */
export type DefectReport = {
  /** Stands in the answer too. */
  readonly id: string;
  readonly method: string;
  /** Without the query, which may hold secrets. */
  readonly path: string;
  readonly error: unknown;
};

type RequestLine = { readonly method?: string | undefined; readonly url?: string | undefined };

/** Reports what a handler threw, and answers the client with the id of the report. */
export function answerDefect(
  error: unknown,
  { method = 'GET', url = '/' }: RequestLine,
  onDefect: (report: DefectReport) => void,
): HttpResponse {
  const id = randomUUID();
  const [path = '/'] = url.split('?');
  const isDescribed = error instanceof HandlerDefect;
  onDefect({ id, method, path, error: isDescribed ? error.cause : error });
  return isDescribed ? error.answer(id) : plainAnswer(id);
}

const plainAnswer = (id: string): HttpResponse => ({
  status: 500,
  headers: { 'content-type': 'text/plain; charset=utf-8' },
  body: Buffer.from(`${describeDefect(id)}\n`),
});
