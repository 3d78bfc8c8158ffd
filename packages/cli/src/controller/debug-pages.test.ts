import { expect, test } from 'vitest';
import { createDebugPages, type DebugSources } from './debug-pages.ts';

const sources: DebugSources = {
  isLeading: () => true,
  inspect: () => ({ state: { nodes: 3 }, queues: { provisioner: { waiting: 0, running: 1, workers: 1 } } }),
  servesHeap: false,
};

async function ask(path: string, more: Partial<DebugSources> = {}, method = 'GET') {
  const handle = createDebugPages({ ...sources, ...more });
  const request = { method, path, headers: {}, body: new Uint8Array() };
  const { status, body } = await handle(request, new AbortController().signal);
  return { status, body: JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) as unknown };
}

test('counts of the cluster, the last round, queues and memory are told', async () => {
  expect(await ask('/debug/state')).toEqual({ status: 200, body: { isLeading: true, nodes: 3 } });
  expect(await ask('/debug/queues')).toMatchObject({ status: 200, body: { provisioner: { running: 1 } } });
  expect(await ask('/debug/memory')).toMatchObject({ status: 200, body: { heap: {}, process: {} } });
  expect((await ask('/debug/round')).status).toBe(404);
  const inspect = () => ({ round: { pendingPods: 2 }, queues: {} });
  expect(await ask('/debug/round?x=1', { inspect })).toEqual({ status: 200, body: { pendingPods: 2 } });
});

test('a snapshot of the heap is there only where it is asked for', async () => {
  expect((await ask('/debug/heap')).status).toBe(404);
  expect((await ask('/debug', { servesHeap: true })).body).toMatchObject({
    pages: expect.arrayContaining(['/debug/heap']) as unknown,
  });
});

test('what is not there, or changes something, is refused', async () => {
  expect((await ask('/')).status).toBe(404);
  expect((await ask('/debug/constructor')).status).toBe(404);
  expect((await ask('/debug/state', {}, 'POST')).status).toBe(405);
});
