import { readOwn } from '@nodewright/apis';
import {
  createTracer,
  type Logger,
  type Random,
  realTime,
  startSpanExporter,
  type Tracer,
  type WebClient,
} from '@nodewright/runtime';
import type { ControllerTime } from './sandbox-clock.ts';

type TracingEnvironment = Readonly<Record<string, string | undefined>>;

/** Where traces go, by the variables of OpenTelemetry. */
export type TraceDestination = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly service: string;
  readonly attributes: Readonly<Record<string, string>>;
};

/**
 * What OTEL_EXPORTER_OTLP_ENDPOINT and its like say.
 * @returns `undefined` where no endpoint is named, or traces are switched off
 */
export function readTraceDestination(environment: TracingEnvironment): TraceDestination | undefined {
  const read = (name: string): string => readOwn(environment, name) ?? '';
  const base = read('OTEL_EXPORTER_OTLP_ENDPOINT').replace(/\/$/, '');
  const url = read('OTEL_EXPORTER_OTLP_TRACES_ENDPOINT') || (base && `${base}/v1/traces`);
  const isOff = read('OTEL_SDK_DISABLED').toLowerCase() === 'true' || read('OTEL_TRACES_EXPORTER') === 'none';
  if (url === '' || isOff) return undefined;
  const headers = readTracePairs(read('OTEL_EXPORTER_OTLP_TRACES_HEADERS') || read('OTEL_EXPORTER_OTLP_HEADERS'));
  return {
    url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    service: read('OTEL_SERVICE_NAME') || 'nodewright',
    attributes: readTracePairs(read('OTEL_RESOURCE_ATTRIBUTES')),
  };
}

/** `a=b,c=d`, with values as in URLs. */
function readTracePairs(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(',').flatMap((pair): readonly (readonly [string, string])[] => {
    const at = pair.indexOf('=');
    return at <= 0 ? [] : [[pair.slice(0, at).trim(), decodeWhereValid(pair.slice(at + 1).trim())]];
  });
  return Object.fromEntries(pairs);
}

function decodeWhereValid(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type TracingOptions = {
  /** TRACE_REQUESTS. */
  readonly traceRequests: boolean;
  readonly clusterName: string;
  readonly version: string;
  readonly environment: TracingEnvironment;
  readonly time: ControllerTime;
  readonly random: Random;
  readonly web: WebClient;
  readonly log: Logger;
};

export type ControllerTracing = {
  /** None where nothing asks for it: then promises cost what they cost. */
  readonly tracer?: Tracer;
  stop(): Promise<void>;
};

/** Starts what TRACE_REQUESTS and the variables of OpenTelemetry ask for. Traces leave in real time. */
export function startTracing({
  environment,
  time,
  random,
  traceRequests,
  ...options
}: TracingOptions): ControllerTracing {
  const destination = readTraceDestination(environment);
  if (destination === undefined) {
    return {
      ...(traceRequests ? { tracer: createTracer({ clock: time.clock, random }) } : {}),
      stop: () => Promise.resolve(),
    };
  }
  const { url, headers, service, attributes } = destination;
  const { clusterName, version, web, log } = options;
  const source = { service, version, attributes: { 'k8s.cluster.name': clusterName, ...attributes } };
  const exporter = startSpanExporter({ web, log, url, headers, source, clock: realTime().clock });
  const tracer = createTracer({ clock: time.clock, random, export: (spans) => exporter.add(spans) });
  return { tracer, stop: () => exporter.stop() };
}
