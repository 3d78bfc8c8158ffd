import { instant, nodes, pods, type Node } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../http.ts';
import { ApiError, type WatchEvent } from '../kubernetes-client.ts';
import { TinyApiServer } from '@nodewright/testkit';
import { virtualTime } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { kubernetesClient } from './rest-client.ts';

function aWorld(answer?: (request: HttpRequest) => Partial<HttpResponse>) {
  const time = virtualTime(instant(0));
  const server = new TinyApiServer();
  const seen: HttpRequest[] = [];
  const transport = inProcessTransport(time.gate, (request, signal) => {
    seen.push(request);
    const scripted = answer?.(request);
    if (scripted === undefined) return server.handle(request, signal);
    return Promise.resolve({ status: 200, headers: {}, body: Buffer.from('{}'), ...scripted });
  });
  const client = kubernetesClient({ transport, gate: time.gate, userAgent: 'test/1', headers: { authorization: 'x' } });
  return { time, server, client, seen };
}

const node = (name: string): Node => ({ metadata: { name } });
const text = (request: HttpRequest | undefined): unknown => JSON.parse(Buffer.from(request?.body ?? []).toString());

describe('a request', () => {
  const pod = { name: 'web-1', namespace: 'default' };
  for (const { fact, send, line, type, body } of [
    {
      fact: 'of a list carries its selectors and page',
      send: ({ client }: World) =>
        client.list(pods, {
          namespace: 'default',
          labelSelector: 'a in (b,c)',
          fieldSelector: 'spec.nodeName=n',
          limit: 5,
        }),
      line: 'GET /api/v1/namespaces/default/pods?labelSelector=a%20in%20(b%2Cc)&fieldSelector=spec.nodeName%3Dn&limit=5',
    },
    {
      fact: 'of a list without a namespace is for all of them',
      send: ({ client }: World) => client.list(pods),
      line: 'GET /api/v1/pods',
    },
    {
      fact: 'to update a status names the subresource',
      send: ({ client }: World) => client.update(nodes, node('a'), { subresource: 'status', dryRun: true }),
      line: 'PUT /api/v1/nodes/a/status?dryRun=All',
      type: 'application/json',
      body: { apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } },
    },
    {
      fact: 'to patch says which patch it is',
      send: ({ client }: World) => client.patch(nodes, { name: 'a' }, { type: 'strategic', patch: { spec: {} } }),
      line: 'PATCH /api/v1/nodes/a',
      type: 'application/strategic-merge-patch+json',
      body: { spec: {} },
    },
    {
      fact: 'to delete carries grace, preconditions and propagation in its body',
      send: ({ client }: World) => client.delete(pods, pod, { gracePeriodSeconds: 0, preconditions: { uid: 'u' } }),
      line: 'DELETE /api/v1/namespaces/default/pods/web-1',
      type: 'application/json',
      body: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 0, preconditions: { uid: 'u' } },
    },
    {
      fact: 'to evict posts an eviction under the pod',
      send: ({ client }: World) => client.evict(pod, { gracePeriodSeconds: 30 }),
      line: 'POST /api/v1/namespaces/default/pods/web-1/eviction',
      type: 'application/json',
      body: {
        apiVersion: 'policy/v1',
        kind: 'Eviction',
        metadata: pod,
        deleteOptions: { apiVersion: 'v1', kind: 'DeleteOptions', gracePeriodSeconds: 30 },
      },
    },
    {
      fact: 'to bind names the node as target',
      send: ({ client }: World) => client.bind(pod, 'n'),
      line: 'POST /api/v1/namespaces/default/pods/web-1/binding',
      type: 'application/json',
      body: {
        apiVersion: 'v1',
        kind: 'Binding',
        metadata: pod,
        target: { apiVersion: 'v1', kind: 'Node', name: 'n' },
      },
    },
  ] as const) {
    test(fact, async () => {
      const world = aWorld(() => ({}));
      await world.time.finish<unknown>(send(world));
      const request = world.seen[0];
      expect(`${request?.method} ${request?.path}`).toBe(line);
      expect(request?.headers).toMatchObject({
        'user-agent': 'test/1',
        authorization: 'x',
        accept: 'application/json',
      });
      expect(request?.headers['content-type']).toBe(type);
      if (body !== undefined) expect(text(request)).toEqual(body);
    });
  }

  test('for a namespaced object without a namespace is refused before it is sent', async () => {
    const { client } = aWorld();
    const created = client.create(pods, { metadata: { name: 'a' }, spec: { containers: [] } });
    await expect(created).rejects.toThrow('metadata.namespace is missing');
  });
});

type World = ReturnType<typeof aWorld>;

describe('an answer', () => {
  test('to a get of something absent is undefined', async () => {
    const { client, time } = aWorld();
    expect(await time.finish(client.get(nodes, { name: 'x' }))).toBeUndefined();
  });

  test('of NotFound that names no object is an error: the kind itself is not served', async () => {
    const { client, time } = aWorld(() => ({ status: 404, body: Buffer.from('404 page not found\n') }));
    await expect(time.finish(client.get(nodes, { name: 'x' }))).rejects.toMatchObject({
      code: 404,
      reason: 'NotFound',
      message: '404 page not found',
    });
  });

  test('that refuses becomes an error with the reason of the API', async () => {
    const { client, time, server } = aWorld();
    server.put('/api/v1/nodes', node('a'));
    const refused = time.finish(client.create(nodes, node('a')));
    await expect(refused).rejects.toBeInstanceOf(ApiError);
    await expect(refused).rejects.toMatchObject({ code: 409, reason: 'AlreadyExists' });
  });

  test('with a list fills in what its items leave out', async () => {
    const { client, time, server } = aWorld();
    server.put('/api/v1/nodes', node('a'));
    const { items } = await time.finish(client.list(nodes));
    expect(items).toMatchObject([{ apiVersion: 'v1', kind: 'Node', metadata: { name: 'a' } }]);
  });
});

test('a client with a limit asks no faster than that', async () => {
  const time = virtualTime(instant(0));
  const server = new TinyApiServer();
  const asked: number[] = [];
  server.intercept = () => {
    asked.push(time.clock.now());
    return undefined;
  };
  const transport = inProcessTransport(time.gate, server.handle);
  const limit = { clock: time.clock, perSecond: 10, burst: 2 };
  const client = kubernetesClient({ transport, gate: time.gate, userAgent: 't', limit });
  await time.finish(Promise.all(['a', 'b', 'c', 'd'].map((name) => client.get(nodes, { name }))));
  expect(asked).toEqual([0, 0, 100, 200]);
});

describe('a watch', () => {
  test('gives events as they come, until its reader leaves', async () => {
    const { client, time, server } = aWorld();
    server.put('/api/v1/nodes', node('a'));
    time.clock.at(instant(50), () => server.put('/api/v1/nodes', node('b')));
    const read = async (): Promise<readonly string[]> => {
      const names: string[] = [];
      for await (const event of client.watch(nodes, { resourceVersion: '0' })) {
        if (event.type === 'ADDED') names.push(`${event.object.metadata.name} at ${time.clock.now()}`);
        if (names.length === 2) break;
      }
      return names;
    };
    expect(await time.finish(read())).toEqual(['a at 0', 'b at 50']);
  });

  test('does not hold up the clock while nothing happens', async () => {
    const { client, time } = aWorld();
    const watch = client.watch(nodes, { resourceVersion: '0' })[Symbol.asyncIterator]();
    watch.next().catch(() => undefined);
    await time.run(instant(60_000));
    expect(time.clock.now()).toBe(60_000);
  });

  test('puts events together that arrive in pieces', async () => {
    const bytes = Buffer.from(
      '{"type":"ADDED","object":{"metadata":{"name":"größe"}}}\n\n{"type":"BOOKMARK","object":{}}',
    );
    async function* inPieces() {
      for (let at = 0; at < bytes.length; at += 3) yield bytes.subarray(at, at + 3);
    }
    const { client, time } = aWorld(() => ({ body: inPieces() }));
    const read = async (): Promise<readonly WatchEvent<Node>[]> => {
      const events: WatchEvent<Node>[] = [];
      for await (const event of client.watch(nodes, { resourceVersion: '0' })) events.push(event);
      return events;
    };
    expect(await time.finish(read())).toEqual([
      { type: 'ADDED', object: { metadata: { name: 'größe' } } },
      { type: 'BOOKMARK', object: {} },
    ]);
  });

  test('that the server refuses is an error', async () => {
    const { client, time } = aWorld(() => ({ status: 503, body: Buffer.from('') }));
    const first = client.watch(nodes, { resourceVersion: '0' })[Symbol.asyncIterator]().next();
    await expect(time.finish(first)).rejects.toMatchObject({ code: 503, reason: 'ServiceUnavailable' });
  });

  test('ends with the reason of its signal', async () => {
    const { client, time } = aWorld();
    const controller = new AbortController();
    const watch = client.watch(nodes, { resourceVersion: '0', signal: controller.signal })[Symbol.asyncIterator]();
    time.clock.at(instant(5), () => controller.abort(new Error('stopping')));
    await expect(time.finish(watch.next())).rejects.toThrow('stopping');
  });
});
