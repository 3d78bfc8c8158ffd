import type { AnswerForm, IncludeObject } from '../http/negotiation.ts';
import type { TableWriter } from '../tables/table-writer.ts';

/** What a writer needs to know besides the outcome. */
export type AnswerWriting = {
  readonly form: AnswerForm;
  readonly includeObject: IncludeObject;
  readonly tables: TableWriter;
};
