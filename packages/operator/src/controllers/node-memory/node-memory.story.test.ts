import { nodes } from '@nodewright/apis';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

test('the cloud hears how much memory a registered node has, once, and again after a restart of the operator', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const [claim] = await world.claims();
  const node = (await world.nodes()).find(({ metadata }) => metadata.name === claim?.status?.nodeName);
  const seen = world.cloud.memoriesSeen.filter(({ imageId }) => imageId === claim?.status?.imageID);
  expect(seen).toHaveLength((await world.claims()).length);
  expect(seen[0]?.bytes).toBeGreaterThan(0);
  const labels = { metadata: { labels: { touched: 'yes' } } };
  await world.apply(world.client.patch(nodes, { name: node?.metadata.name ?? '' }, { type: 'merge', patch: labels }));
  await world.advance(60_000);
  expect(world.cloud.memoriesSeen).toHaveLength(seen.length);
  await world.crash({ afterWrite: 1 });
  await world.advance(60_000);
  expect(world.cloud.memoriesSeen.length).toBeGreaterThanOrEqual(2 * seen.length);
  await world.stop();
});
