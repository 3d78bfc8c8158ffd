import { instant, nodes, type Node } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { seededRandom } from '../seeded-random.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { startInformer, type InformerOptions } from './informer.ts';

const path = '/api/v1/nodes';
const node = (name: string, labels: Readonly<Record<string, string>> = {}): Node => ({ metadata: { name, labels } });
const after = (seconds: number) => instant(seconds * 1000);

function aWorld(options: Partial<InformerOptions<Node, Node, 'zone'>> = {}) {
  const time = virtualTime(instant(0));
  const server = new TinyApiServer();
  const client = kubernetesClient({
    transport: inProcessTransport(time.gate, server.handle),
    gate: time.gate,
    userAgent: 't',
  });
  const told: string[] = [];
  const start = () => {
    const informer = startInformer<Node, Node, 'zone'>({
      client,
      clock: time.clock,
      random: seededRandom(1),
      type: nodes,
      indexes: { zone: ({ metadata }) => Object.values(metadata.labels ?? {}) },
      ...options,
    });
    informer.onChange((before, now) => {
      const kind = before === undefined ? 'new' : now === undefined ? 'gone' : 'changed';
      told.push(`${kind} ${(now ?? before)?.metadata.name}`);
    });
    return informer;
  };
  return { time, server, told, start };
}

const names = (objects: readonly Node[]): readonly string[] => objects.map(({ metadata }) => metadata.name);

describe('an informer', () => {
  test('has what the server has, page by page, before it calls itself synced', async () => {
    const { time, server, told, start } = aWorld({ pageSize: 2 });
    for (const name of ['c', 'a', 'e', 'b', 'd']) server.put(path, node(name));
    const informer = start();
    expect(informer.hasSynced()).toBe(false);
    await time.finish(informer.synced());
    expect(names(informer.store.list())).toEqual(['a', 'b', 'c', 'd', 'e']);
    expect(told).toEqual(['new a', 'new b', 'new c', 'new d', 'new e']);
    expect(server.requests).toEqual([
      'GET /api/v1/nodes?limit=2',
      'GET /api/v1/nodes?limit=2&continue=1',
      'GET /api/v1/nodes?limit=2&continue=2',
    ]);
  });

  test('follows changes, keeps its indexes, and tells old and new', async () => {
    const { time, server, told, start } = aWorld();
    server.put(path, node('a', { zone: 'east' }));
    const informer = start();
    time.clock.at(after(1), () => server.put(path, node('a', { zone: 'west' })));
    time.clock.at(after(2), () => server.put(path, node('b', { zone: 'west' })));
    await time.run(after(3));
    expect(names(informer.store.byIndex('zone', 'east'))).toEqual([]);
    expect(names(informer.store.byIndex('zone', 'west'))).toEqual(['a', 'b']);
    time.clock.at(after(4), () => server.remove(path, 'a'));
    await time.run(after(5));
    expect(names(informer.store.byIndex('zone', 'west'))).toEqual(['b']);
    expect(told).toEqual(['new a', 'changed a', 'new b', 'gone a']);
  });

  test('resumes after a lost connection without listing again, and misses nothing', async () => {
    const { time, server, told, start } = aWorld();
    start();
    time.clock.at(after(10), () => {
      server.put(path, node('before'));
      server.disconnect();
      server.put(path, node('between'));
    });
    await time.run(after(60));
    expect(told).toEqual(['new before', 'new between']);
    expect(server.requests.filter((request) => request.includes('limit'))).toHaveLength(1);
  });

  test('lists again when the server has forgotten its revision, and finds out what went away', async () => {
    const { time, server, told, start } = aWorld();
    for (const name of ['a', 'b', 'c']) server.put(path, node(name));
    start();
    time.clock.at(after(10), () => {
      server.disconnect();
      server.remove(path, 'a');
      server.put(path, node('b', { zone: 'new' }));
      server.put(path, node('d'));
      server.compact();
    });
    await time.run(after(60));
    expect(told).toEqual(['new a', 'new b', 'new c', 'gone a', 'changed b', 'new d']);
  });

  test('keeps trying while the server is away, ever less often, and comes back', async () => {
    const waits: number[] = [];
    const { time, server, told, start } = aWorld({ onFailure: (_, retryInMs) => waits.push(retryInMs) });
    const down = { status: 503, headers: {}, body: new Uint8Array() };
    server.intercept = () => (time.clock.now() < after(120) ? down : undefined);
    server.put(path, node('a'));
    start();
    await time.run(after(240));
    expect(told).toEqual(['new a']);
    for (const [failure, wait] of waits.entries()) {
      const least = Math.min(800 * 2 ** failure, 30_000);
      expect(wait).toBeGreaterThanOrEqual(least);
      expect(wait).toBeLessThan(2 * least);
    }
  });

  test('does not hammer a server whose watches end at once', async () => {
    const { time, server, start } = aWorld();
    start();
    server.intercept = ({ path: asked }) =>
      asked.includes('watch') ? { status: 200, headers: {}, body: new Uint8Array() } : undefined;
    await time.run(after(60));
    expect(server.requests.length).toBeLessThan(12);
  });

  test('tells a late handler what is there already', async () => {
    const { time, server, start } = aWorld();
    for (const name of ['b', 'a']) server.put(path, node(name));
    const informer = start();
    await time.finish(informer.synced());
    const late: (string | undefined)[] = [];
    informer.onChange((_, now) => late.push(now?.metadata.name));
    expect(late).toEqual(['a', 'b']);
  });

  test('stores the projection, and keeps quiet about changes that it projects away', async () => {
    const { time, server, told, start } = aWorld({
      project: ({ metadata: { name, uid, resourceVersion, labels } }) => ({
        metadata: { name, ...(uid && { uid }), ...(resourceVersion && { resourceVersion }), ...(labels && { labels }) },
      }),
      isSame: (before, now) => JSON.stringify(before.metadata.labels) === JSON.stringify(now.metadata.labels),
    });
    const informer = start();
    const cordoned: Node = { ...node('a'), spec: { unschedulable: true } };
    server.put(path, cordoned);
    await time.settle();
    time.clock.at(after(1), () => server.put(path, node('a')));
    time.clock.at(after(2), () => server.put(path, node('a', { zone: 'x' })));
    await time.run(after(3));
    expect(told).toEqual(['new a', 'changed a']);
    expect(informer.store.get('a')?.spec).toBeUndefined();
    expect(informer.store.get('a')?.metadata.resourceVersion).toBe('103');
  });

  test('hands out objects and lists that throw when a test changes them', async () => {
    const { time, server, start } = aWorld();
    server.put(path, node('a', { zone: 'x' }));
    const informer = start();
    await time.finish(informer.synced());
    const { store } = informer;
    const [stored] = store.list();
    expect(stored).toBe(store.get('a'));
    expect([store.list(), stored, stored?.metadata, stored?.metadata.labels].every(Object.isFrozen)).toBe(true);
  });

  test('that is stopped before it has synced says so to whoever waits', async () => {
    const { time, start } = aWorld();
    const informer = start();
    const synced = informer.synced();
    void informer.stop();
    await expect(time.finish(synced)).rejects.toThrow('the informer is stopping');
  });

  test('stops, and then hears nothing more', async () => {
    const { time, server, told, start } = aWorld();
    const informer = start();
    await time.finish(informer.synced());
    await time.finish(informer.stop());
    server.put(path, node('late'));
    await time.run(after(60));
    expect(told).toEqual([]);
    expect(await time.step()).toBe('idle');
  });
});
