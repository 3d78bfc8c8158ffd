import { kubernetesLabels, pods, replicaSets } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aPool, aRunningCluster, aWorld } from '@nodewright/testkit/worlds';

const overZones = { maxSkew: 1, topologyKey: kubernetesLabels.zone, whenUnsatisfiable: 'DoNotSchedule' } as const;

const selector = { matchLabels: { app: 'inflate' } };
const template = {
  metadata: { labels: { app: 'inflate' } },
  spec: { containers: [{ name: 'inflate', image: 'pause' }] },
};

for (const { fact, defaultSpread, expected } of [
  { fact: 'share a node without a default spread', defaultSpread: [], expected: ['us-east-1a'] },
  { fact: 'are spread over zones by default', defaultSpread: [overZones], expected: ['us-east-1a', 'us-east-1b'] },
]) {
  test(`the pods of a ReplicaSet ${fact}, and nothing of it is written on them`, async () => {
    const world = aWorld({ settings: { defaultSpread } });
    const set = { metadata: { name: 'inflate', namespace: 'default' }, spec: { selector, template } };
    await world.apply(world.client.create(replicaSets, set));
    // kube-scheduler knows of no such spread here, and may leave a node empty.
    await aRunningCluster(world, aPool({}, { disruption: { consolidateAfter: 'Never' } }));
    const zones = (await world.claims()).map(({ metadata }) => metadata.labels?.[kubernetesLabels.zone]);
    expect(new Set(zones)).toEqual(new Set(expected));
    const { items } = await world.apply(world.client.list(pods, { namespace: 'default' }));
    expect(items.map(({ spec }) => spec.topologySpreadConstraints)).toEqual([undefined, undefined]);
    await world.stop();
  });
}
