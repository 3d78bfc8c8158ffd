import type { HttpResponse } from '@nodewright/runtime';
import { encodeText } from '../http/encoding.ts';

export type ServerCounts = {
  /** The number of objects by collection, such as `pods` or `deployments.apps`. */
  readonly objects: ReadonlyMap<string, number>;
  /** The number of answered requests by method and status, such as `GET 200`. */
  readonly requests: ReadonlyMap<string, number>;
};

/** Answers `/metrics` in the text format of Prometheus. Names and labels are those of a real server. */
export const metricsAnswer = ({ objects, requests }: ServerCounts): HttpResponse => ({
  status: 200,
  headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' },
  body: encodeText(
    [
      '# HELP apiserver_request_total Requests that were answered, by verb and status code.',
      '# TYPE apiserver_request_total counter',
      ...[...requests].map(([key, count]) => requestLine(key, count)),
      '# HELP apiserver_storage_objects Stored objects by resource.',
      '# TYPE apiserver_storage_objects gauge',
      ...[...objects].map(([resource, count]) => `apiserver_storage_objects{resource="${resource}"} ${count}`),
      '',
    ].join('\n'),
  ),
});

function requestLine(key: string, count: number): string {
  const [verb = '', code = ''] = key.split(' ');
  return `apiserver_request_total{code="${code}",verb="${verb}"} ${count}`;
}
