import { karpenterAnnotations, pods, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { aRunningCluster, aWorld, type World } from '@nodewright/testkit/worlds';

const protectedBy = (value: string): Pod => ({
  metadata: { name: 'careful', namespace: 'default', annotations: { [karpenterAnnotations.doNotDisrupt]: value } },
  spec: { containers: [{ name: 'app', image: 'pause' }], nodeSelector: { team: 'my-team' } },
});

async function withPod(value: string): Promise<World> {
  const world = aWorld();
  await world.apply(world.client.create(pods, protectedBy(value)));
  await aRunningCluster(world);
  return world;
}

test('a pod whose protection is no good hears what would be', async () => {
  const world = await withPod('yes please');
  const [event] = await world.events('InvalidDoNotDisruptAnnotation');
  expect(event).toMatchObject({ type: 'Warning', message: expect.stringContaining('"yes please"') });
  await world.stop();
});

test('a pod that is protected for a while hears until when, and when that is over', async () => {
  const world = await withPod('10m');
  expect(await world.events('DoNotDisruptUntil')).toHaveLength(1);
  expect(await world.events('DoNotDisruptGracePeriodElapsed')).toEqual([]);
  await world.advance(10 * 60_000);
  expect(await world.events('DoNotDisruptGracePeriodElapsed')).toHaveLength(1);
  await world.stop();
});
