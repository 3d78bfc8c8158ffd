import {
  ec2NodeClasses,
  imageRules,
  nodeRolloutPolicies,
  type ImageRule,
  type NodeRolloutPolicy,
} from '@nodewright/apis';
import { aRunningCluster, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const aPolicy = (name: string, spec: NodeRolloutPolicy['spec'] = {}): NodeRolloutPolicy => ({
  metadata: { name },
  spec,
});

test('a policy says what it governs, and why it cannot be read', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  await world.apply(world.client.create(nodeRolloutPolicies, aPolicy('good')));
  const windows = [{ schedule: '0 22 * * *', duration: '2h', timeZone: 'Europe/Nowhere' }];
  await world.apply(world.client.create(nodeRolloutPolicies, aPolicy('wrong', { windows })));
  await world.advance(1_000);
  const { items } = await world.apply(world.client.list(nodeRolloutPolicies));
  const told = items.map(({ metadata, status }) => [
    metadata.name,
    status?.governed?.nodePools,
    status?.conditions?.find(({ type }) => type === 'Ready')?.reason,
    status?.conditions?.filter(({ status: value }) => value === 'True').map(({ type }) => type),
  ]);
  expect(told).toEqual([
    ['good', 1, 'Governing', ['EqualWeight', 'Ready']],
    ['wrong', 0, 'UnreadableCalendar', ['EqualWeight', 'Stalled']],
  ]);
  await world.stop();
});

test('a rule that blocks an image takes it out of the class at once, and its end brings it back', async () => {
  const world = aWorld();
  await aRunningCluster(world);
  const amisOf = async () =>
    (await world.apply(world.client.list(ec2NodeClasses))).items.flatMap(({ status }) =>
      (status?.amis ?? []).map(({ id }) => id),
    );
  const [image = ''] = await amisOf();
  const rule: ImageRule = {
    metadata: { name: 'cve' },
    spec: { match: { names: ['*'] }, verdict: 'Blocked', reason: 'CVE-1' },
  };
  await world.apply(world.client.create(imageRules, rule));
  await world.advance(1_000);
  expect([image === '', await amisOf()]).toEqual([false, []]);
  await world.apply(world.client.delete(imageRules, { name: 'cve' }));
  await world.advance(1_000);
  expect(await amisOf()).toEqual([image]);
  await world.stop();
});
