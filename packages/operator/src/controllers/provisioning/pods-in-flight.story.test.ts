import { ec2NodeClasses, nodePools, pods, seconds, type Pod } from '@nodewright/apis';
import { anInstanceType } from '@nodewright/testkit';
import { aNodeClass, aPool, aWorld, type World } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { launchRecordOf } from '../../state/launch-record.ts';

const types = [2, 4, 8].map((cpu) =>
  anInstanceType(`m5.${cpu}`, {
    cpu,
    memoryGib: cpu * 4,
    pods: 8 + cpu,
    offerings: ['us-east-1a', 'us-east-1b'].map((zone) => [zone, 'on-demand', cpu * 48_000] as const),
  }),
);

async function aWorldWithPool(): Promise<World> {
  const world = aWorld({ instanceTypes: types });
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool({}, { limits: {} })));
  await world.advance(seconds(15));
  return world;
}

const sizes = [
  { cpu: '1700m', memory: '1Gi' },
  { cpu: '300m', memory: '3Gi' },
  { cpu: '1100m', memory: '2Gi' },
  { cpu: '700m', memory: '5Gi' },
  { cpu: '500m', memory: '500Mi' },
];

const aSizedPod = (number: number): Pod => {
  const requests = sizes[number % sizes.length] ?? {};
  return {
    metadata: { name: `pod-${String(number).padStart(4, '0')}`, namespace: 'default' },
    spec: { containers: [{ name: 'main', image: 'pause', resources: { requests } }] },
  };
};

const ask = (world: World, from: number, count: number) =>
  world.apply(
    Promise.all(Array.from({ length: count }, (_, index) => world.client.create(pods, aSizedPod(from + index)))),
  );

/** How many claims were created for each pod. */
async function claimsPerPod(world: World): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  for (const claim of await world.claims())
    for (const uid of [...(launchRecordOf(claim)?.classes.values() ?? [])].flat())
      counts.set(uid, (counts.get(uid) ?? 0) + 1);
  return counts;
}

test('pods that come in a stream keep their nodes in flight: none gets a second one, and every one runs in the end', async () => {
  const world = await aWorldWithPool();
  for (const from of [0, 30, 60, 90, 120]) {
    await ask(world, from, 30);
    await world.advance(seconds(6));
  }
  const counts = await claimsPerPod(world);
  expect(counts.size).toBeGreaterThan(80);
  expect([...counts.values()].filter((count) => count > 1)).toEqual([]);
  await world.advance(seconds(180));
  expect((await world.pods()).every(({ spec }) => spec.nodeName !== undefined)).toBe(true);
  await world.stop();
});
