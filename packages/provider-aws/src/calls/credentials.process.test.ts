import { DescribeAutoScalingGroupsCommand } from '@aws-sdk/client-auto-scaling';
import { DescribeRegionsCommand } from '@aws-sdk/client-ec2';
import { ListClustersCommand } from '@aws-sdk/client-eks';
import { ListInstanceProfilesCommand } from '@aws-sdk/client-iam';
import { DescribeServicesCommand } from '@aws-sdk/client-pricing';
import { ListServicesCommand } from '@aws-sdk/client-service-quotas';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import { GetParameterCommand } from '@aws-sdk/client-ssm';
import { instant, minutes, toTimestamp } from '@nodewright/apis';
import { realTime, serveTexts } from '@nodewright/runtime';
import { afterEach, expect, test, vi } from 'vitest';
import { createAwsClients } from '../index.ts';

afterEach(() => vi.unstubAllEnvs());

/** Where a container finds its credentials, each answer good for the next of some times, and an AWS that knows no operation. */
async function someEndpoints(lifetimes: readonly number[]) {
  const { clock } = realTime();
  let fetched = 0;
  const credentials = () => {
    const lifetime = lifetimes[Math.min(fetched, lifetimes.length - 1)] ?? 0;
    fetched += 1;
    return JSON.stringify({
      AccessKeyId: `key-${fetched}`,
      SecretAccessKey: 'secret',
      Token: 'token',
      Expiration: toTimestamp(instant(clock.now() + lifetime)),
    });
  };
  const server = await serveTexts(
    { '/credentials': () => ({ status: 200, text: credentials(), contentType: 'application/json' }) },
    0,
  );
  vi.stubEnv('AWS_CONTAINER_CREDENTIALS_FULL_URI', `http://127.0.0.1:${server.port}/credentials`);
  const otherSources = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_PROFILE', 'AWS_WEB_IDENTITY_TOKEN_FILE'];
  for (const name of otherSources) vi.stubEnv(name, undefined);
  for (const name of ['AWS_CONFIG_FILE', 'AWS_SHARED_CREDENTIALS_FILE']) vi.stubEnv(name, '/nowhere');
  const clients = createAwsClients({ region: 'eu-west-1', endpoint: `http://127.0.0.1:${server.port}` });
  const askAll = () =>
    Promise.allSettled([
      clients.autoScaling.send(new DescribeAutoScalingGroupsCommand({})),
      clients.ec2.send(new DescribeRegionsCommand({})),
      clients.eks.send(new ListClustersCommand({})),
      clients.iam.send(new ListInstanceProfilesCommand({})),
      clients.pricing.send(new DescribeServicesCommand({})),
      clients.serviceQuotas.send(new ListServicesCommand({})),
      clients.sqs.send(new ListQueuesCommand({})),
      clients.ssm.send(new GetParameterCommand({ Name: 'x' })),
    ]);
  return { server, clients, askAll, fetched: () => fetched };
}

test('all clients share credentials that are fetched once', async () => {
  const { server, clients, askAll, fetched } = await someEndpoints([minutes(60)]);
  try {
    const answers = await askAll();
    await askAll();
    expect(answers.map(({ status }) => status)).toEqual(Object.keys(clients).map(() => 'rejected'));
    expect(fetched()).toBe(1);
  } finally {
    await server.close();
  }
});

test('credentials that expire soon are fetched once more, for all clients', async () => {
  const { server, clients, askAll, fetched } = await someEndpoints([minutes(2), minutes(60)]);
  try {
    await askAll();
    await askAll();
    expect(fetched()).toBe(2);
    const keys = await Promise.all(Object.values(clients).map(({ config }) => config.credentials()));
    expect(keys.map(({ accessKeyId }) => accessKeyId)).toEqual(Object.keys(clients).map(() => 'key-2'));
  } finally {
    await server.close();
  }
});
