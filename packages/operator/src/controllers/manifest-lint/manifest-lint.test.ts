import { ec2NodeClasses, minutes, nodePools, seconds } from '@nodewright/apis';
import { aNodeClass, aPool, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const closed = { disruption: { consolidateAfter: 'Never', budgets: [{ nodes: '0' }] } } as const;

test('a pool that no new image ever reaches is warned about, once, and once more when it is changed', async () => {
  const world = aWorld({ settings: { manifestWarnings: true } });
  const warnings = () => world.events('ManifestWarning');
  await world.apply(world.client.create(ec2NodeClasses, aNodeClass()));
  await world.apply(world.client.create(nodePools, aPool({}, closed)));
  await world.advance(seconds(20));
  expect(await warnings()).toEqual([]);
  await world.advance(minutes(30));
  const first = await warnings();
  const timesTold = async () => (await warnings()).reduce((sum, { count = 1 }) => sum + count, 0);
  const before = await timesTold();
  expect(first.map(({ message }) => message).join('\n')).toContain('[budget-always-closed]');
  const patch = { spec: { weight: 7 } };
  await world.apply(world.client.patch(nodePools, { name: aPool().metadata.name }, { type: 'merge', patch }));
  await world.advance(minutes(2));
  expect(await timesTold()).toBeGreaterThan(before);
  await world.stop();
});
