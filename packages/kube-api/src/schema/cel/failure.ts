import { EvaluationError, TypeError as CelTypeError } from '@marcbachmann/cel-js';

/** An expression that could not be computed; the message is what an API server says. */
export class EvaluationFailure extends Error {}

/** The server's words for a failure of the library, or undefined when the error is another one. */
export function failureText(error: unknown): string | undefined {
  if (error instanceof EvaluationFailure) return error.message;
  if (error instanceof EvaluationError) return causeText(error) ?? evaluationText(error);
  return error instanceof CelTypeError ? error.summary : undefined;
}

const causeText = (error: EvaluationError): string | undefined =>
  error.cause instanceof EvaluationFailure ? error.cause.message : undefined;

function evaluationText(error: EvaluationError): string {
  const { code, summary } = error;
  if (code === 'no_such_key') return summary.replace(/^No such key/, 'no such key');
  if (code === 'index_out_of_bounds') return `index out of bounds: ${/index (-?\d+)/.exec(summary)?.[1] ?? ''}`;
  return code === 'no_matching_overload' ? 'no such overload' : summary;
}
