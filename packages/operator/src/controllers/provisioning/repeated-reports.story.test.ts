import { ec2NodeClasses, nodePools } from '@nodewright/apis';
import { aPool, aWorld } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

test('pods whose NodeClass is not ready are told at once, then ever more rarely, in one line of the log for all of them', async () => {
  const world = aWorld({ images: [] });
  const terms = [{ tags: { team: 'x' } }];
  const spec = {
    amiFamily: 'AL2',
    role: 'node-role',
    amiSelectorTerms: [{ alias: 'al2@latest' }],
    subnetSelectorTerms: terms,
    securityGroupSelectorTerms: terms,
  } as const;
  await world.apply(world.client.create(ec2NodeClasses, { metadata: { name: 'default' }, spec }));
  await world.apply(world.client.create(nodePools, aPool()));
  world.keepPods(20, { nodeSelector: { team: 'my-team' } });
  await world.advance(2 * 60 * 60_000);

  const errors = world.log.filter(({ message, level }) => level === 'ERROR' && message === 'could not schedule pod');
  expect(errors.length).toBeGreaterThan(0);
  expect(errors.length).toBeLessThanOrEqual(10);
  expect(errors.at(-1)).toMatchObject({ pods: 20 });
  expect(Number(errors.at(-1)?.['repeated'])).toBeGreaterThan(1);

  const told = (await world.events('FailedScheduling')).filter(({ source }) => source?.component === 'karpenter');
  expect(new Set(told.map(({ involvedObject }) => involvedObject.name)).size).toBe(20);
  await world.stop();
});
