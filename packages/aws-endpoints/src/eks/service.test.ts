import {
  DescribeClusterCommand,
  DescribeClusterVersionsCommand,
  DescribeUpdateCommand,
  EKSClient,
  ListClustersCommand,
  ListNodegroupsCommand,
  ListUpdatesCommand,
  UpdateClusterVersionCommand,
} from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const name = 'my-cluster';
const minute = 60_000;

function world() {
  const account = aTestAccount();
  const eks = new EKSClient(inProcess(account.aws.handle));
  const cluster = async () => (await eks.send(new DescribeClusterCommand({ name }))).cluster;
  const upgrade = (version: string) => eks.send(new UpdateClusterVersionCommand({ name, version }));
  return { ...account, eks, cluster, upgrade };
}

test('the cluster is described with its endpoint and its CA', async () => {
  const { aws, cluster } = world();
  expect(await cluster()).toMatchObject({
    name,
    arn: 'arn:aws:eks:us-east-1:111122223333:cluster/my-cluster',
    version: '1.28',
    status: 'ACTIVE',
    endpoint: 'https://127.0.0.1:6443',
    certificateAuthority: { data: Buffer.from('the CA').toString('base64') },
    createdAt: new Date('2024-01-28T16:00:00Z'),
    resourcesVpcConfig: { vpcId: aws.ec2.network.vpcId, clusterSecurityGroupId: aws.ec2.network.securityGroups[1]?.id },
  });
});

test('an upgrade takes minutes, and the version changes when it has ended', async () => {
  const { clock, cluster, eks, upgrade, versions } = world();
  const { update } = await upgrade('1.29');
  expect(update).toMatchObject({
    status: 'InProgress',
    type: 'VersionUpdate',
    params: [{ type: 'Version', value: '1.29' }, { type: 'PlatformVersion' }],
    errors: [],
  });
  expect(await cluster()).toMatchObject({ status: 'UPDATING', version: '1.28' });
  await clock.advance(7 * minute);
  expect(versions).toEqual([]);
  await clock.advance(4 * minute);
  expect(versions).toEqual(['1.29']);
  expect(await cluster()).toMatchObject({ status: 'ACTIVE', version: '1.29' });
  const seen = await eks.send(new DescribeUpdateCommand({ name, updateId: update?.id }));
  expect(seen.update?.status).toBe('Successful');
  expect((await eks.send(new ListUpdatesCommand({ name }))).updateIds).toEqual([update?.id]);
});

for (const { to, message } of [
  { to: '1.28', message: 'Cluster is already at the desired configuration with version: 1.28' },
  { to: '1.30', message: 'Unsupported Kubernetes minor version update from 1.28 to 1.30' },
  { to: '1.26', message: 'Unsupported Kubernetes minor version update from 1.28 to 1.26' },
]) {
  test(`V-24, VER-1: an upgrade from 1.28 to ${to} is refused`, async () => {
    await expect(world().upgrade(to)).rejects.toMatchObject({
      name: 'InvalidParameterException',
      clusterName: name,
      message,
      $metadata: { httpStatusCode: 400 },
    });
  });
}

test('a second upgrade has to wait for the first', async () => {
  const { upgrade } = world();
  await upgrade('1.29');
  await expect(upgrade('1.29')).rejects.toMatchObject({
    name: 'ResourceInUseException',
    $metadata: { httpStatusCode: 409 },
  });
});

test('the same request token again answers with the same update', async () => {
  const { eks } = world();
  const request = { name, version: '1.29', clientRequestToken: 'once' };
  const first = await eks.send(new UpdateClusterVersionCommand(request));
  const again = await eks.send(new UpdateClusterVersionCommand(request));
  expect(again.update?.id).toBe(first.update?.id);
});

test('another cluster is not found, and its name comes back', async () => {
  const { eks } = world();
  await expect(eks.send(new DescribeClusterCommand({ name: 'other' }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    clusterName: 'other',
    message: 'No cluster found for name: other.',
    $metadata: { httpStatusCode: 404 },
  });
});

test('clusters, versions and node groups are listed', async () => {
  const { eks } = world();
  expect((await eks.send(new ListClustersCommand({}))).clusters).toEqual([name]);
  const { clusterVersions } = await eks.send(new DescribeClusterVersionsCommand({ clusterVersions: ['1.29'] }));
  expect(clusterVersions).toMatchObject([{ clusterVersion: '1.29', releaseDate: new Date('2024-01-23') }]);
  expect((await eks.send(new ListNodegroupsCommand({ clusterName: name }))).nodegroups).toEqual([]);
});
