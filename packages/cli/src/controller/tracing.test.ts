import { expect, test } from 'vitest';
import { readTraceDestination } from './tracing.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/' };

test('without an endpoint, or switched off, traces go nowhere', () => {
  expect(readTraceDestination({})).toBeUndefined();
  expect(readTraceDestination({ ...endpoint, OTEL_SDK_DISABLED: 'TRUE' })).toBeUndefined();
  expect(readTraceDestination({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBeUndefined();
});

test('the endpoint of all signals gets the path of traces, their own one is taken as it is', () => {
  expect(readTraceDestination(endpoint)).toEqual({
    url: 'http://collector:4318/v1/traces',
    headers: {},
    service: 'nodewright',
    attributes: {},
  });
  const own = { ...endpoint, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://example.com/in' };
  expect(readTraceDestination(own)?.url).toBe('https://example.com/in');
});

test('headers, attributes and the name of the service are read as OpenTelemetry writes them', () => {
  const environment = {
    ...endpoint,
    OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20abc, x-team=a,broken,=b,__proto__=c',
    OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=prod,odd=%',
    OTEL_SERVICE_NAME: 'nodes',
  };
  const found = readTraceDestination(environment);
  expect(Object.entries(found?.headers ?? {})).toEqual([
    ['authorization', 'Bearer abc'],
    ['x-team', 'a'],
    ['__proto__', 'c'],
  ]);
  expect(found).toMatchObject({ service: 'nodes', attributes: { 'deployment.environment': 'prod', odd: '%' } });
});
