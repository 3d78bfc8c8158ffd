import { instant, leases, nodes, pods, type Node, type Pod } from '@nodewright/apis';
import { createApiServer } from '@nodewright/kube-api';
import { describe, expect, test } from 'vitest';
import { kubernetesClient } from '../kubernetes/rest-client.ts';
import { ApiError } from '../kubernetes-client.ts';
import { seededRandom } from '../seeded-random.ts';
import { virtualTime, type VirtualTimeOptions } from '../time/virtual-time.ts';
import { inProcessTransport } from '../transport/in-process-transport.ts';
import { startInformer } from './informer.ts';

const start = Date.UTC(2024, 0, 28, 16);
const hour = 3_600_000;
const peer = { clientCertificate: { commonName: 'admin', organizations: ['system:masters'] } };

function aWorld(options: VirtualTimeOptions = {}) {
  const time = virtualTime(instant(start), options);
  const server = createApiServer({ clock: time.clock, random: seededRandom('server'), version: '1.28' });
  const transport = inProcessTransport(time.gate, server.handle, { peer });
  const client = kubernetesClient({ transport, gate: time.gate, userAgent: 'test' });
  const follow = () =>
    startInformer({
      client,
      clock: time.clock,
      random: seededRandom('informer'),
      type: pods,
      pageSize: 3,
      indexes: { node: ({ spec }: Pod) => (spec.nodeName === undefined ? [] : [spec.nodeName]) },
    });
  return { time, server, client, follow };
}

const node = (name: string): Node => ({ metadata: { name } });
const pod = (name: string): Pod => ({
  metadata: { name, namespace: 'default' },
  spec: { containers: [{ name: 'main', image: 'pause' }] },
});

describe('against the API server of the sandbox', () => {
  test('every verb of the client is understood', async () => {
    const { time, client } = aWorld();
    const story = async (): Promise<void> => {
      expect(await client.get(nodes, { name: 'n' })).toBeUndefined();
      const created = await client.create(nodes, node('n'));
      const updated = await client.update(nodes, { ...created, spec: { unschedulable: true } });
      await expect(client.update(nodes, created)).rejects.toMatchObject({ reason: 'Conflict', retry: 'soon' });
      const patched = await client.patch(
        nodes,
        { name: 'n' },
        { type: 'merge', patch: { metadata: { labels: { a: 'b' } } } },
      );
      expect(Number(patched.metadata.resourceVersion)).toBeGreaterThan(Number(updated.metadata.resourceVersion));
      expect((await client.list(nodes, { labelSelector: 'a=b' })).items).toMatchObject([
        { kind: 'Node', spec: { unschedulable: true } },
      ]);
      await client.create(pods, pod('p'));
      await client.bind({ name: 'p', namespace: 'default' }, 'n');
      expect(await client.get(pods, { name: 'p', namespace: 'default' })).toMatchObject({ spec: { nodeName: 'n' } });
      await client.evict({ name: 'p', namespace: 'default' });
      await client.delete(nodes, { name: 'n' }, { preconditions: { uid: created.metadata.uid ?? '' } });
      await expect(client.delete(nodes, { name: 'n' })).rejects.toBeInstanceOf(ApiError);
      expect(await client.version()).toMatchObject({ major: '1' });
    };
    await time.finish(story());
  });

  test('an informer follows for hours, through the ends of its watches', async () => {
    const { time, client, follow } = aWorld();
    const told: string[] = [];
    for (const name of ['a', 'b', 'c', 'd']) await time.finish(client.create(pods, pod(name)));
    const informer = follow();
    informer.onChange((before, after) =>
      told.push(`${before === undefined ? '+' : after === undefined ? '-' : '~'}${(after ?? before)?.metadata.name}`),
    );
    await time.finish(informer.synced());
    expect(told).toEqual(['+a', '+b', '+c', '+d']);
    await time.run(instant(start + hour));
    await time.finish(client.bind({ name: 'b', namespace: 'default' }, 'n'));
    await time.run(instant(start + 2 * hour));
    await time.finish(client.delete(pods, { name: 'a', namespace: 'default' }, { gracePeriodSeconds: 0 }));
    await time.settle();
    expect(told.slice(4)).toEqual(['~b', '-a']);
    expect(informer.store.byIndex('node', 'n').map(({ metadata }) => metadata.name)).toEqual(['b']);
    await time.finish(informer.stop());
  });

  test('an informer recovers when the server forgets the past', async () => {
    const { time, server, client, follow } = aWorld();
    await time.finish(client.create(pods, pod('a')));
    const informer = follow();
    await time.finish(informer.synced());
    for (let round = 0; round < 20; round++) {
      await time.finish(client.create(leases, { metadata: { name: `l${round}`, namespace: 'default' } }));
      server.compact();
      await time.run(instant(time.clock.now() + hour / 3));
    }
    await time.finish(client.create(pods, pod('z')));
    await time.settle();
    expect(informer.store.list().map(({ metadata }) => metadata.name)).toEqual(['a', 'z']);
  });

  for (const seed of [1, 2, 3, 4, 5]) {
    test(`an informer ends with what the server has, whatever overtakes what (${seed})`, async () => {
      const { time, client, follow } = aWorld({ interleaving: seededRandom(seed) });
      const informer = follow();
      const churn = async (name: string): Promise<void> => {
        await client.create(pods, pod(name));
        await time.clock.sleep(10);
        await client.patch(
          pods,
          { name, namespace: 'default' },
          { type: 'merge', patch: { metadata: { labels: { a: name } } } },
        );
        if (name > 'm') await client.delete(pods, { name, namespace: 'default' }, { gracePeriodSeconds: 0 });
      };
      await time.finish(Promise.all(['a', 'c', 'p', 'q', 'z'].map(churn)));
      await time.run(instant(start + hour));
      const { items } = await time.finish(client.list(pods));
      expect(informer.store.list()).toEqual(items);
      expect(items).toHaveLength(2);
    });
  }

  test('two runs of the same story are the same to the byte', async () => {
    const run = async (): Promise<string> => {
      const { time, client, follow } = aWorld();
      const informer = follow();
      const transcript: string[] = [];
      informer.onChange((_, after) => transcript.push(`${time.clock.now()} ${JSON.stringify(after)}`));
      await time.finish(Promise.all(['x', 'y', 'z'].map((name) => client.create(pods, pod(name)))));
      await time.run(instant(start + hour));
      return transcript.join('\n');
    };
    const first = await run();
    expect(first.split('\n')).toHaveLength(3);
    expect(await run()).toBe(first);
  });
});
