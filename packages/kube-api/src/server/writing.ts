import type { Form, IncludeObject } from '../http/negotiation.ts';
import type { TableWriter } from '../tables/table-writer.ts';

/** What a writer needs to know besides the outcome. */
export type Writing = {
  readonly form: Form;
  readonly includeObject: IncludeObject;
  readonly tables: TableWriter;
};
