import type { AnswerForm, IncludeObject } from '../http/negotiation.ts';
import type { TableWriter } from '../tables/table-writer.ts';

/** The settings of the writer of an answer. */
export type AnswerWriting = {
  readonly form: AnswerForm;
  readonly includeObject: IncludeObject;
  readonly tables: TableWriter;
};
