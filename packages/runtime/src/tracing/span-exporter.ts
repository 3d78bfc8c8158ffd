import { seconds } from '@nodewright/apis';
import type { Clock } from '../clock.ts';
import type { HttpHeaders } from '../http.ts';
import type { Logger } from '../observability/logger.ts';
import type { WebClient } from '../transport/web-client.ts';
import { printOtlpDocument, type TraceSource } from './otlp-document.ts';
import type { Span } from './tracer.ts';

export type SpanExporterOptions = {
  readonly web: WebClient;
  readonly clock: Clock;
  readonly log: Logger;
  /** Where a collector takes traces: `http://collector:4318/v1/traces`. */
  readonly url: string;
  readonly headers: HttpHeaders;
  readonly source: TraceSource;
};

export interface SpanExporter {
  add(spans: readonly Span[]): void;
  /** Sends what is left, once, and ends. */
  stop(): Promise<void>;
}

const sendEveryMs = seconds(5);
const sendTimeoutMs = seconds(10);

/** What waits to be sent, and what is sent at once. */
const mostSpansWaiting = 8_192;
const mostAtOnce = 1_024;

/**
 * Sends spans to a collector, some seconds after their end.
 *
 * Guarantees: controllers never wait for it. While a collector does not answer, as many spans wait as fit, later ones are
 * dropped, and the log tells how many.
 */
export function startSpanExporter(options: SpanExporterOptions): SpanExporter {
  const { clock, log } = options;
  const waiting: Span[] = [];
  const stopping = new AbortController();
  let dropped = 0;
  const sendWaiting = async (): Promise<void> => {
    if (dropped > 0) log.warn('dropped spans, because the collector of traces did not take others', { dropped });
    dropped = 0;
    while (waiting.length > 0) {
      const sent = waiting.slice(0, mostAtOnce);
      const problem = await sendSpans(options, sent);
      if (problem?.isLasting === false) return log.warn('could not send traces', { problem: problem.text });
      if (problem !== undefined) log.warn('the collector of traces refused spans', { problem: problem.text });
      waiting.splice(0, sent.length);
    }
  };
  const running = (async () => {
    while (!stopping.signal.aborted) {
      await clock.sleep(sendEveryMs, stopping.signal).catch(() => undefined);
      await sendWaiting();
    }
  })();
  return {
    add: (spans) => {
      const room = Math.max(0, mostSpansWaiting - waiting.length);
      waiting.push(...spans.slice(0, room));
      dropped += Math.max(0, spans.length - room);
    },
    stop: async () => {
      stopping.abort();
      await running;
    },
  };
}

type SendProblem = {
  readonly text: string;
  /** Another attempt would end in the same way. */
  readonly isLasting: boolean;
};

async function sendSpans(
  { web, url, headers, source }: SpanExporterOptions,
  spans: readonly Span[],
): Promise<SendProblem | undefined> {
  const answer = await web.send({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', ...headers },
    body: printOtlpDocument(spans, source),
    timeoutMs: sendTimeoutMs,
  });
  if (answer.kind === 'unreachable') return { text: answer.because, isLasting: false };
  if (answer.status < 300) return undefined;
  const isLasting = answer.status < 500 && answer.status !== 429;
  return { text: `HTTP ${answer.status}: ${answer.text.slice(0, 200)}`, isLasting };
}
