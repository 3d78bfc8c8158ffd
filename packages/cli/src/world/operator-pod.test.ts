import { instant, namespaces, pods } from '@nodewright/apis';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { createSandbox } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import { showOperatorPod } from './operator-pod.ts';

const namespace = 'karpenter';

async function aSandboxWithItsPod() {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const random = seededRandom(1);
  const sandbox = await createSandbox({
    ...time,
    random: random.fork('world'),
    clusterName: 'sandbox',
    kubernetesVersion: '1.28',
    region: 'us-east-1',
    zones: ['us-east-1a'],
    releases: builtInReleases(),
  });
  await time.finish(sandbox.start());
  const { admin: client } = sandbox;
  const shown = await time.finish(showOperatorPod({ client, clock: time.clock, random: random.fork('pod') }));
  return {
    client,
    time,
    after: (ms: number) => time.run(instant(time.clock.now() + ms)),
    there: async () => (await time.finish(client.list(pods, { namespace }))).items,
    stop: async () => {
      await time.finish(shown.stop());
      sandbox.stop();
    },
  };
}

test('the pod of the operator comes back when it is deleted, alone or with its namespace', async () => {
  const { client, time, after, there, stop } = await aSandboxWithItsPod();
  const [first] = await there();
  expect(first?.status?.phase).toBe('Running');
  await time.finish(client.delete(pods, { name: first?.metadata.name ?? '', namespace }));
  await after(1_000);
  const [second, ...others] = await there();
  expect(second?.status?.phase).toBe('Running');
  expect(second?.metadata.name).not.toBe(first?.metadata.name);
  expect(others).toEqual([]);
  await time.finish(client.delete(namespaces, { name: namespace }));
  await after(60_000);
  expect(await there()).toHaveLength(1);
  await stop();
});
