import { EvaluationError, TypeError as CelTypeError } from '@marcbachmann/cel-js';
import { PatternError } from '../regular-expressions.ts';

/** The evaluation of an expression failed. The message is that of a real server. */
export class EvaluationFailure extends Error {}

/** A real server's message for an evaluation error of the library; undefined for other errors. */
export function failureText(error: unknown): string | undefined {
  if (isReported(error)) return error.message;
  if (error instanceof EvaluationError) return causeText(error) ?? evaluationText(error);
  return error instanceof CelTypeError ? error.summary : undefined;
}

const causeText = (error: EvaluationError): string | undefined =>
  isReported(error.cause) ? error.cause.message : undefined;

/** Errors whose message is that of a real server. */
const isReported = (error: unknown): error is Error =>
  error instanceof EvaluationFailure || error instanceof PatternError;

function evaluationText(error: EvaluationError): string {
  const { code, summary } = error;
  if (code === 'no_such_key') return summary.replace(/^No such key/, 'no such key');
  if (code === 'index_out_of_bounds') return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1] ?? ''}`;
  return code === 'no_matching_overload' ? 'no such overload' : summary;
}
