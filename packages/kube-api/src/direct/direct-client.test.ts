import { pods } from '@nodewright/apis';
import { ApiError } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { anApiServer, describeClientContract } from '@nodewright/testkit/worlds';
import { createDirectClient } from './direct-client.ts';

const administrator = { name: 'admin', groups: ['system:masters', 'system:authenticated'] };

describeClientContract('a client on the objects of the embedded API server', () => {
  const { time, server } = anApiServer();
  return {
    client: createDirectClient(server, { gate: time.gate, name: 'test', user: administrator }),
    finish: (work) => time.finish(work),
    compact: () => server.compact(),
  };
});

describe('objects that come out are those of the store', () => {
  const world = () => {
    const { time, server } = anApiServer();
    const client = createDirectClient(server, { gate: time.gate, name: 'test', user: administrator });
    return { time, client };
  };
  const pod = {
    metadata: { name: 'p', namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'pause' }] },
  };
  const key = { name: 'p', namespace: 'default' };

  test('a get, a list and a watch give the same object while it does not change', async () => {
    const { time, client } = world();
    await time.finish(
      (async () => {
        const { metadata } = await client.list(pods);
        const created = await client.create(pods, pod);
        const watches = [1, 2].map(async () => {
          const options = { resourceVersion: metadata.resourceVersion ?? '' };
          for await (const { object } of client.watch(pods, options)) return object;
          return undefined;
        });
        const seen = [await client.get(pods, key), (await client.list(pods)).items[0], ...(await Promise.all(watches))];
        for (const object of seen) expect(object).toBe(created);
        expect(Object.isFrozen(created.spec.containers[0])).toBe(true);
        expect(Object.isFrozen(pod.spec.containers[0])).toBe(false);
      })(),
    );
  });

  test('a new version shares the parts that did not change', async () => {
    const { time, client } = world();
    await time.finish(
      (async () => {
        const created = await client.create(pods, pod);
        const patch = { status: { phase: 'Running' } };
        const after = await client.patch(pods, key, { type: 'merge', patch }, { subresource: 'status' });
        expect(after).not.toBe(created);
        expect(after.spec).toBe(created.spec);
        expect(await client.patch(pods, key, { type: 'merge', patch }, { subresource: 'status' })).toBe(after);
      })(),
    );
  });

  test('nobody owns what is written, and owners that there were stay', async () => {
    const { time, server, send } = anApiServer();
    const client = createDirectClient(server, { gate: time.gate, name: 'test', user: administrator });
    await send('POST', '/api/v1/namespaces/default/pods', pod);
    const before = await time.finish(client.get(pods, key));
    const patch = { metadata: { labels: { a: 'b' } } };
    const after = await time.finish(client.patch(pods, key, { type: 'merge', patch }));
    type Owned = { readonly metadata?: { readonly managedFields?: unknown } };
    const ownersOf = (object: Owned | undefined): unknown => object?.metadata?.managedFields;
    expect(ownersOf(before)).toHaveLength(1);
    expect(ownersOf(after)).toBe(ownersOf(before));
  });

  test('an object that is nested too deep is refused', async () => {
    const { time, client } = world();
    let annotations: object = {};
    for (let depth = 0; depth < 5_000; depth += 1) annotations = { a: annotations };
    const made = client.create(pods, { ...pod, spec: { ...pod.spec, annotations } } as typeof pod);
    const refusal = time.finish(made);
    await expect(refusal).rejects.toBeInstanceOf(ApiError);
    await expect(refusal).rejects.toMatchObject({ code: 400, reason: 'BadRequest' });
  });
});
