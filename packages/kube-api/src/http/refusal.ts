import { describeDefect, HandlerDefect, type HttpRequest, type HttpResponse } from '@nodewright/runtime';
import { encodeText, formatJson, formatYaml } from './encoding.ts';
import { warningHeader } from './limit-warnings.ts';
import { negotiateForm } from './negotiation.ts';
import { parseRequest } from './request-info.ts';
import { StatusError } from './status-error.ts';

/**
 * Answers a failed request with the error's `Status`.
 * @throws HandlerDefect for an error of another class
 */
export function answerError(error: unknown, request: HttpRequest): HttpResponse {
  if (!(error instanceof StatusError)) throw new HandlerDefect(error, (id) => answerStatus(defectError(id), request));
  return answerStatus(error, request);
}

const defectError = (id: string): StatusError =>
  new StatusError(500, describeDefect(id), { reason: 'InternalError', details: { causes: [{ message: id }] } });

function answerStatus(error: StatusError, request: HttpRequest): HttpResponse {
  const { syntax, isPretty } = errorForm(request);
  const status = error.toStatus();
  const text = syntax === 'yaml' ? formatYaml(status) : formatJson(status, isPretty);
  const retryAfter = error.details?.retryAfterSeconds;
  return {
    status: error.code,
    headers: {
      'content-type': syntax === 'yaml' ? 'application/yaml' : 'application/json',
      ...warningHeader(error.warnings),
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
    },
    body: request.method === 'HEAD' ? encodeText('') : encodeText(isPretty || syntax === 'yaml' ? text : `${text}\n`),
  };
}

/** A request with an unacceptable `Accept` header gets its error in JSON. */
function errorForm({ method, path, headers }: HttpRequest): { syntax: 'json' | 'yaml'; isPretty: boolean } {
  try {
    const { query } = parseRequest(method, path);
    const { syntax, isPretty } = negotiateForm(withoutTransforms(headers), { isList: false, isWatch: false, query });
    return { syntax, isPretty };
  } catch {
    return { syntax: 'json', isPretty: true };
  }
}

/** Errors are never tables: only the syntax of the `Accept` header counts. */
const withoutTransforms = (headers: HttpRequest['headers']): HttpRequest['headers'] => ({
  ...headers,
  accept: (headers['accept'] ?? '').replaceAll(/;[^,]*/g, ''),
});
