import { readOwn, type RolloutCheck } from '@nodewright/apis';
import type { CheckVerdict } from './check-results.ts';

/** What came of a request to a server. */
export type WebOutcome =
  | { readonly kind: 'answered'; readonly status: number; readonly text: string }
  | { readonly kind: 'unreachable'; readonly because: string };

type PrometheusCheck = NonNullable<RolloutCheck['prometheus']>;

/** The path of an instant query. @see https://prometheus.io/docs/prometheus/latest/querying/api/#instant-queries */
export function prometheusUrl({ url, query }: PrometheusCheck): string {
  const base = new URL(url);
  base.pathname = `${base.pathname.replace(/\/+$/, '')}/api/v1/query`;
  base.searchParams.set('query', query);
  return base.href;
}

/**
 * The verdict on the answer to an instant query. One number is held against `min` and `max`; no number, several, or one
 * that is none (`NaN`) says nothing.
 */
export function judgePrometheusAnswer({ min, max }: PrometheusCheck, outcome: WebOutcome): CheckVerdict {
  if (outcome.kind === 'unreachable') return cannotAsk(outcome.because);
  const body = decodeBody(outcome.text);
  if (outcome.status !== 200 || readOwn(body, 'status') !== 'success')
    return cannotAsk(
      `Prometheus answers ${outcome.status}: ${textInBody(body, 'error') ?? outcome.text.slice(0, 200)}`,
    );
  const values = valuesOfAnswer(bodyOfValue(readOwn(body, 'data')));
  const [value] = values;
  if (values.length !== 1 || value === undefined) return cannotAsk(`the query has ${values.length} values, not one`);
  const number = numberOfSample(value);
  if (number === undefined) return cannotAsk(`the query has the value ${value}`);
  const limits = [...(min === undefined ? [] : [`at least ${min}`]), ...(max === undefined ? [] : [`at most ${max}`])];
  const passes = (min === undefined || number >= Number(min)) && (max === undefined || number <= Number(max));
  return { state: passes ? 'Passes' : 'Fails', detail: `${value}, ${limits.join(' and ')} allowed` };
}

/** The values of a scalar, or of a vector, as text. */
function valuesOfAnswer(data: AnswerBody): readonly string[] {
  const result = readOwn(data, 'result');
  if (!Array.isArray(result)) return [];
  if (readOwn(data, 'resultType') === 'scalar') return [String(result[1])];
  return result.map((series) => {
    const sample = readOwn(bodyOfValue(series), 'value');
    return Array.isArray(sample) ? String(sample[1]) : '';
  });
}

function numberOfSample(text: string): number | undefined {
  if (/^[+-]?Inf$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity;
  const number = Number(text);
  return text === '' || Number.isNaN(number) ? undefined : number;
}

/** Answers that say that the question did not reach the server that could answer it. */
const unaskedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 405, 407, 408, 413, 415, 429]);

/**
 * The verdict of a webhook: 2xx passes, unless the body is JSON with `"pass": false`. Another answer fails, but for
 * redirects, answers about the request itself, and failures of the server, which say nothing.
 */
export function judgeWebhookAnswer(outcome: WebOutcome): CheckVerdict {
  if (outcome.kind === 'unreachable') return cannotAsk(outcome.because);
  const { status, text } = outcome;
  const body = decodeBody(text);
  const message = textInBody(body, 'message') ?? text.slice(0, 200);
  const detail = message === '' ? `the webhook answers ${status}` : `the webhook answers ${status}: ${message}`;
  if (status >= 200 && status < 300) return { state: readOwn(body, 'pass') === false ? 'Fails' : 'Passes', detail };
  const isAsked = status >= 400 && status < 500 && !unaskedStatuses.has(status);
  return isAsked ? { state: 'Fails', detail } : cannotAsk(detail);
}

const cannotAsk = (detail: string): CheckVerdict => ({ state: 'CannotBeAsked', detail });

type AnswerBody = Readonly<Record<string, unknown>>;

function decodeBody(text: string): AnswerBody {
  try {
    return bodyOfValue(JSON.parse(text));
  } catch {
    return {};
  }
}

const bodyOfValue = (value: unknown): AnswerBody =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as AnswerBody) : {};

function textInBody(body: AnswerBody, name: string): string | undefined {
  const value = readOwn(body, name);
  return typeof value === 'string' ? value : undefined;
}
