import { getHeapSnapshot, getHeapStatistics } from 'node:v8';
import { readOwn } from '@nodewright/apis';
import type { HttpResponse, RequestHandler } from '@nodewright/runtime';

export type DebugSources = {
  readonly isLeading: () => boolean;
  /** What the controllers tell about themselves: counts of the cluster, the last round, queues. */
  readonly inspect: () => { readonly state?: object; readonly round?: object; readonly queues: object };
  /** ENABLE_PROFILING. */
  readonly servesHeap: boolean;
};

type DebugPage = () => HttpResponse;

/** Answers `/debug` and what is below it with JSON. It changes nothing; a snapshot of the heap stops the process meanwhile. */
export function createDebugPages({ isLeading, inspect, servesHeap }: DebugSources): RequestHandler {
  const pages: Readonly<Record<string, DebugPage>> = {
    '/debug': () => answerJson({ pages: Object.keys(pages) }),
    '/debug/state': () => answerJson({ isLeading: isLeading(), ...inspect().state }),
    '/debug/round': () => answerOptional(inspect().round, 'this process has decided on no pods yet'),
    '/debug/queues': () => answerJson(inspect().queues),
    '/debug/memory': () => answerJson({ process: process.memoryUsage(), heap: getHeapStatistics() }),
    ...(servesHeap ? { '/debug/heap': answerHeapSnapshot } : {}),
  };
  return async ({ method, path }) => {
    if (method !== 'GET') return answerProblem(405, 'only GET is served here');
    const page = readOwn(pages, path.replace(/\?.*$/, '').replace(/\/$/, ''));
    if (page === undefined)
      return answerProblem(404, `there is no such page; there are ${Object.keys(pages).join(', ')}`);
    return page();
  };
}

const answerJson = (value: object, status = 200): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: Buffer.from(`${JSON.stringify(value, null, 2)}\n`),
});

const answerProblem = (status: number, error: string): HttpResponse => answerJson({ error }, status);

const answerOptional = (value: object | undefined, absence: string): HttpResponse =>
  value === undefined ? answerProblem(404, absence) : answerJson(value);

const answerHeapSnapshot = (): HttpResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/octet-stream',
    'content-disposition': 'attachment; filename="nodewright.heapsnapshot"',
  },
  body: getHeapSnapshot() as AsyncIterable<Uint8Array>,
});
