import type { HttpResponse } from '@nodewright/runtime';
import { encodeText } from '../http/encoding.ts';

export type ServerCounts = {
  /** The number of objects by collection, such as `pods` or `deployments.apps`. */
  readonly objects: ReadonlyMap<string, number>;
  /** The number of answered requests by their labels. */
  readonly requests: ReadonlyMap<string, number>;
  /** The names of the API services. */
  readonly services: readonly string[];
  /** What is running. */
  readonly build: Readonly<Record<string, string>>;
};

/** Answers `/metrics` in the text format of Prometheus. Names and labels are those of a real server. */
export const metricsAnswer = (counts: ServerCounts): HttpResponse => metricsText(printMetrics(counts));

export const metricsText = (text: string): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  body: encodeText(text),
});

type MetricFamily = {
  readonly name: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly lines: readonly string[];
};

const printMetrics = (counts: ServerCounts): string =>
  `${listFamilies(counts)
    .flatMap(({ name, type, help, lines }) => [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines])
    .join('\n')}\n`;

function listFamilies({ objects, requests, services, build }: ServerCounts): readonly MetricFamily[] {
  const durations = durationsOf(requests);
  return [
    {
      name: 'aggregator_unavailable_apiservice',
      type: 'gauge',
      help: 'API services that are not available, by name.',
      lines: services.map((name) => `aggregator_unavailable_apiservice{name="${name}"} 0`),
    },
    {
      name: 'apiserver_current_inflight_requests',
      type: 'gauge',
      help: 'Requests that are being answered.',
      lines: ['mutating', 'readOnly'].map((kind) => `apiserver_current_inflight_requests{request_kind="${kind}"} 0`),
    },
    ...['apiserver_request_duration_seconds', 'apiserver_request_sli_duration_seconds'].map((name): MetricFamily => ({
      name,
      type: 'histogram',
      help: 'How long answers took on the clock of the cluster, on which they take no time.',
      lines: [...durations].flatMap(([labels, count]) => histogramLines(name, labels, count)),
    })),
    {
      name: 'apiserver_request_total',
      type: 'counter',
      help: 'Requests that were answered, by verb, resource and status code.',
      lines: [...requests].map(([labels, count]) => `apiserver_request_total{${labels}} ${count}`),
    },
    {
      name: 'apiserver_resource_objects',
      type: 'gauge',
      help: 'Stored objects by group and resource.',
      lines: [...objects].map(([collection, count]) => {
        const [resource, ...group] = collection.split('.');
        return `apiserver_resource_objects{group="${group.join('.')}",resource="${resource}"} ${count}`;
      }),
    },
    {
      name: 'apiserver_storage_objects',
      type: 'gauge',
      help: 'Stored objects by resource.',
      lines: [...objects].map(([resource, count]) => `apiserver_storage_objects{resource="${resource}"} ${count}`),
    },
    {
      name: 'kubernetes_build_info',
      type: 'gauge',
      help: 'What is running.',
      lines: [`kubernetes_build_info{${printLabels(build)}} 1`],
    },
  ];
}

export const printLabels = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll(/["\\\n]/g, '_')}"`)
    .join(',');

/** Requests of all status codes together. A watch has no duration. */
function durationsOf(requests: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const [labels, count] of requests) {
    if (labels.includes('verb="WATCH"')) continue;
    const rest = labels.replace(/^code="\d*",/, '');
    sums.set(rest, (sums.get(rest) ?? 0) + count);
  }
  return sums;
}

const bounds = '0.005 0.025 0.05 0.1 0.2 0.4 0.6 0.8 1 1.25 1.5 2 3 4 5 6 8 10 15 20 30 45 60 +Inf'.split(' ');

const histogramLines = (name: string, labels: string, count: number): readonly string[] => [
  ...bounds.map((bound) => `${name}_bucket{${labels},le="${bound}"} ${count}`),
  `${name}_sum{${labels}} 0`,
  `${name}_count{${labels}} ${count}`,
];
