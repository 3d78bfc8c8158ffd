import type { HttpResponse } from './http.ts';

/**
 * An error that no handler expects, with the answer that the protocol of the handler has for it. The answer names the
 * error by an id only: its message and its stack may name files.
 */
export class HandlerDefect extends Error {
  override readonly name = 'HandlerDefect';
  /** The answer with status 500. `id` stands in the log beside the error. */
  readonly answer: (id: string) => HttpResponse;

  constructor(cause: unknown, answer: (id: string) => HttpResponse) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.answer = answer;
  }
}

/** What a client learns about a defect. */
export const describeDefect = (id: string): string =>
  `an internal error occurred; the output of the server describes it under the id ${id}`;
