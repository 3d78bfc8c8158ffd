import type { Span, SpanFields } from './tracer.ts';

/** Who the spans are from. */
export type TraceSource = { readonly service: string; readonly version: string; readonly attributes: SpanFields };

/** Spans as the JSON of OTLP, which collectors take at `/v1/traces`. */
export const printOtlpDocument = (spans: readonly Span[], { service, version, attributes }: TraceSource): string =>
  JSON.stringify({
    resourceSpans: [
      {
        resource: { attributes: printFields({ 'service.name': service, 'service.version': version, ...attributes }) },
        scopeSpans: [{ scope: { name: 'nodewright', version }, spans: spans.map(otlpSpanOf) }],
      },
    ],
  });

/** Numbers of the protocol. */
const spanKinds: Readonly<Record<Span['kind'], number>> = { turn: 1, request: 3 };
const errorStatus = 2;

const otlpSpanOf = ({ kind, startMs, endMs, fields, error, ...ids }: Span) => ({
  ...ids,
  kind: spanKinds[kind],
  startTimeUnixNano: printNanoseconds(startMs),
  endTimeUnixNano: printNanoseconds(endMs),
  attributes: printFields(fields),
  ...(error === undefined ? {} : { status: { code: errorStatus, message: error } }),
});

/** Nanoseconds since 1970 have more digits than a number keeps. */
const printNanoseconds = (ms: number): string => `${BigInt(Math.round(ms)) * 1_000_000n}`;

const printFields = (fields: SpanFields) =>
  Object.entries(fields).flatMap(([key, value]) => (value === undefined ? [] : [{ key, value: otlpValueOf(value) }]));

/** Whole numbers are texts in this protocol. */
function otlpValueOf(value: string | number | boolean) {
  if (typeof value === 'string') return { stringValue: value };
  if (typeof value === 'boolean') return { boolValue: value };
  return Number.isSafeInteger(value) ? { intValue: String(value) } : { doubleValue: value };
}
