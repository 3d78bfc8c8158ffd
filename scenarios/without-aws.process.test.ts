import { join } from 'node:path';
import { deployments, ec2NodeClasses, nodePools } from '@nodewright/apis';
import { kubeConfigCluster, kubernetesClient, realTime } from '@nodewright/runtime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deploymentOf, nodeClassWith, nodePoolOf } from './support/image-world.ts';
import { type RunningSandbox, startPausedSandbox } from './support/running-sandbox.ts';

const launcher = join(import.meta.dirname, '../packages/cli/bin/nodewright.mjs');

/** Somebody who has a kubeconfig and nothing of AWS; the metadata service of the machine is not asked. */
const nothingOfAws = [
  'AWS_REGION',
  'AWS_DEFAULT_REGION',
  'AWS_PROFILE',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
].flatMap((name) => ['-u', name]);

let sandbox: RunningSandbox;

beforeAll(async () => {
  sandbox = await startPausedSandbox('--scenario', 'managing-amis');
  const { transport } = await kubeConfigCluster({ file: sandbox.env['KUBECONFIG'] ?? '' });
  const client = kubernetesClient({ transport, gate: realTime().gate, userAgent: 'test' });
  const amiSelectorTerms = [{ alias: 'al2023@latest' }];
  await client.create(ec2NodeClasses, nodeClassWith({ amiSelectorTerms, role: 'KarpenterNodeRole-sandbox' }));
  await client.create(nodePools, nodePoolOf());
  await client.create(deployments, deploymentOf(2));
  await sandbox.moveClock({ advance: '10m' });
});

afterAll(() => sandbox.stop());

test.each([
  { lacking: 'a region', setting: 'AWS_REGION=', why: 'no AWS region: set AWS_REGION' },
  { lacking: 'credentials', setting: 'AWS_REGION=us-east-1', why: 'CredentialsProviderError' },
])('top shows what Kubernetes tells without $lacking', async ({ setting, why }) => {
  const args = [
    ...nothingOfAws,
    setting,
    'AWS_EC2_METADATA_DISABLED=true',
    process.execPath,
    launcher,
    'top',
    '--once',
  ];
  const { stdout, stderr, status } = await sandbox.run('env', args);
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout).toContain(why);
  expect(stdout).toContain('AWS does not answer here about instance types and prices, and images');
  expect(stdout).toMatch(/^ +ip-\S+ +ready /m);
  expect(stdout).not.toContain('$0');
});
