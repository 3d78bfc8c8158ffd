import { instant } from '@nodewright/apis';
import { builtInReleases } from '@nodewright/aws-endpoints';
import { seededRandom, virtualTime } from '@nodewright/runtime';
import { createSandbox } from '@nodewright/sandbox';
import { expect, test } from 'vitest';
import { operatorInside } from './operator-inside.ts';

const place = { clusterName: 'sandbox', region: 'us-east-1' };

test('an operator that has stopped leaves nothing behind that the account would call', async () => {
  const time = virtualTime(instant(Date.parse('2024-01-28T16:00:00Z')));
  const random = seededRandom(1);
  const sandbox = await createSandbox({
    ...time,
    ...place,
    random: random.fork('world'),
    kubernetesVersion: '1.28',
    zones: ['us-east-1a'],
    releases: builtInReleases(),
    way: 'direct',
  });
  await time.finish(sandbox.start());
  const { news } = sandbox.aws;
  let handlers = 0;
  const onChange: typeof news.onChange = (handler) => {
    const takeBack = news.onChange(handler);
    handlers += 1;
    return () => {
      handlers -= 1;
      takeBack();
    };
  };
  const aws = { ...sandbox.aws, news: { ...news, onChange } };
  const client = sandbox.clientAs({ commonName: 'karpenter', userAgent: 'karpenter' });
  const operator = operatorInside({ ...time, ...place, random, client, aws });
  await time.finish(operator.ready);
  expect(handlers).toBeGreaterThan(0);
  await time.finish(operator.stop());
  expect(handlers).toBe(0);
  sandbox.stop();
});
