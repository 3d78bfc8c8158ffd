import { capacityBuffers, conditionOf, deployments } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { example, gatedWorld } from './support/gated-world.ts';

type World = Awaited<ReturnType<typeof gatedWorld>>;

const inDefault = (name: string) => ({ name, namespace: 'default' });

async function standing(world: World, name: string) {
  const buffer = await world.time.finish(world.admin.get(capacityBuffers, inDefault(name)));
  const { status, reason } = (buffer && conditionOf(buffer, 'Provisioning')) ?? {};
  return `${buffer?.status?.replicas} ${status} ${reason}`;
}

test('room is kept before there are pods, pods start in it at once, and it is made again', async () => {
  const world = await gatedWorld('CapacityBuffer=true');
  await world.apply(example('capacity-buffers/spare-room.yaml'));
  await world.pass(3);
  expect(await standing(world, 'spare-room')).toBe('3 True FitsExistingCapacity');
  const kept = await world.claims();
  expect(kept).toHaveLength(1);

  const pod = (replicas: number) =>
    example('capacity-buffers/share-of-a-deployment.yaml')
      .split('---')[0]
      ?.replace('replicas: 10', `replicas: ${replicas}`)
      .replace('cpu: 500m', 'cpu: "1"') as string;
  await world.apply(pod(3));
  await world.pass(0.5);
  const placed = (await world.pods()).map(({ spec, status }) => [spec.nodeName, status?.phase]);
  expect(placed).toEqual(Array.from({ length: 3 }, () => [kept[0]?.status?.nodeName, 'Running']));

  await world.pass(3);
  expect(await standing(world, 'spare-room')).toBe('3 True FitsExistingCapacity');
  expect((await world.claims()).length).toBeGreaterThan(1);
  await world.end();
});

test('a buffer of a share grows with its workload', async () => {
  const world = await gatedWorld('CapacityBuffer=true');
  await world.apply(example('capacity-buffers/share-of-a-deployment.yaml'));
  await world.pass(3);
  expect(await standing(world, 'shop')).toBe('2 True FitsExistingCapacity');
  const patch = { type: 'merge', patch: { spec: { replicas: 22 } } } as const;
  await world.time.finish(world.admin.patch(deployments, inDefault('shop'), patch));
  await world.pass(3);
  expect(await standing(world, 'shop')).toBe('5 True FitsExistingCapacity');
  expect((await world.pods()).every(({ status }) => status?.phase === 'Running')).toBe(true);
  await world.end();
});
