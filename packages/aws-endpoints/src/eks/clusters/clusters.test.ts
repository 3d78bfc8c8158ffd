import {
  CancelUpdateCommand,
  CreateClusterCommand,
  type CreateClusterCommandInput,
  CreateNodegroupCommand,
  DeleteClusterCommand,
  DescribeClusterCommand,
  DescribeInsightsRefreshCommand,
  DescribeUpdateCommand,
  EKSClient,
  ListClustersCommand,
  ListInsightsCommand,
  ListNodegroupsCommand,
  ListTagsForResourceCommand,
  ListUpdatesCommand,
  StartInsightsRefreshCommand,
  TagResourceCommand,
  UntagResourceCommand,
  UpdateClusterConfigCommand,
  type UpdateClusterConfigCommandInput,
  UpdateClusterVersionCommand,
  type UpdateClusterVersionCommandInput,
} from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { aRelease, inProcess, aTestAccount, type TestAccountOptions } from '@nodewright/testkit/worlds';

const hosted = 'my-cluster';
const name = 'second';
const minute = 60_000;
const day = 24 * 60 * minute;
const roleArn = 'arn:aws:iam::111122223333:role/eks-cluster';
const invalid = { name: 'InvalidParameterException', $metadata: { httpStatusCode: 400 } };
const busy = { name: 'ResourceInUseException', $metadata: { httpStatusCode: 409 } };

function world(options: TestAccountOptions = {}) {
  const account = aTestAccount({ releases: [aRelease({ kubernetesVersion: '1.28' }), aRelease()], ...options });
  const { aws } = account;
  const eks = new EKSClient(inProcess(aws.handle));
  const subnetIds = aws.ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id);
  return {
    ...account,
    eks,
    subnetIds,
    create: (input: Partial<CreateClusterCommandInput> = {}) =>
      eks.send(new CreateClusterCommand({ name, roleArn, resourcesVpcConfig: { subnetIds }, ...input })),
    describe: async (of = hosted) => (await eks.send(new DescribeClusterCommand({ name: of }))).cluster,
    configure: (input: Partial<UpdateClusterConfigCommandInput>) =>
      eks.send(new UpdateClusterConfigCommand({ name: hosted, ...input })),
    move: (version: string, input: Partial<UpdateClusterVersionCommandInput> = {}) =>
      eks.send(new UpdateClusterVersionCommand({ name: hosted, version, ...input })),
    outcome: async (updateId: string | undefined) =>
      (await eks.send(new DescribeUpdateCommand({ name: hosted, updateId }))).update,
    createGroup: (clusterName = hosted) =>
      eks.send(
        new CreateNodegroupCommand({
          clusterName,
          nodegroupName: 'workers',
          subnets: subnetIds,
          nodeRole: 'arn:aws:iam::111122223333:role/karpenterNodeRole-my-cluster',
        }),
      ),
  };
}

type World = ReturnType<typeof world>;

/** The group as the node manager would leave it. */
const settle = async ({ aws, clock }: World, version = '1.28'): Promise<void> => {
  await clock.advance(minute);
  aws.eks.nodeGroups.keep({ ...aws.eks.nodeGroups.group('workers'), status: 'ACTIVE', version });
};

test('a cluster that is created is there after minutes, has no endpoint before, and goes when it is deleted', async () => {
  const { clock, create, describe, eks } = world();
  const { cluster } = await create({ tags: { team: 'web' } });
  expect(cluster).toMatchObject({ name, status: 'CREATING', version: '1.29', roleArn, tags: { team: 'web' } });
  expect(cluster?.endpoint).toBeUndefined();
  await clock.advance(11 * minute);
  const there = await describe(name);
  expect(there?.status).toBe('ACTIVE');
  expect(there?.endpoint).toMatch(/^https:\/\/[0-9A-F]{32}\.gr7\.us-east-1\.eks\.amazonaws\.com$/);
  expect((await eks.send(new ListClustersCommand({}))).clusters).toEqual([hosted, name]);
  expect((await eks.send(new DeleteClusterCommand({ name }))).cluster?.status).toBe('DELETING');
  await clock.advance(4 * minute);
  await expect(describe(name)).rejects.toMatchObject({ name: 'ResourceNotFoundException', clusterName: name });
});

test('clusters are listed in pages of at most a hundred', async () => {
  const { create, eks } = world();
  await create();
  const first = await eks.send(new ListClustersCommand({ maxResults: 1 }));
  expect(first.clusters).toEqual([hosted]);
  const { nextToken } = first;
  expect(await eks.send(new ListClustersCommand({ maxResults: 1, nextToken }))).toMatchObject({ clusters: [name] });
  await expect(eks.send(new ListClustersCommand({ maxResults: 101 }))).rejects.toMatchObject(invalid);
  await expect(eks.send(new ListClustersCommand({ nextToken: 'never given out' }))).rejects.toMatchObject(invalid);
});

for (const { fact, input, says } of [
  { fact: 'a name with a blank', input: { name: 'my cluster' }, says: 'name contains invalid characters' },
  { fact: 'a version EKS never had', input: { version: '1.99' }, says: 'unsupported Kubernetes version: 1.99' },
  {
    fact: 'a version that is out of support',
    input: { version: '1.22' },
    says: 'unsupported Kubernetes version: 1.22',
  },
  { fact: 'a role that is no ARN', input: { roleArn: 'eks-cluster' }, says: 'roleArn is "eks-cluster"' },
  {
    fact: 'a subnet that is not there',
    input: { resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } },
    says: "'subnet-1' does not exist",
  },
  { fact: 'no subnets', input: { resourcesVpcConfig: {} }, says: 'two different AZs' },
  {
    fact: 'a kind of log that is none',
    input: { logging: { clusterLogging: [{ types: ['pods' as 'api'], enabled: true }] } },
    says: 'is pods, must be one of api, audit',
  },
]) {
  test(`a cluster with ${fact} is refused`, async () => {
    await expect(world().create(input)).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(says) });
  });
}

test('a cluster name is taken once, and the same token is the same cluster', async () => {
  const { create } = world();
  await create({ clientRequestToken: 'once' });
  expect((await create({ clientRequestToken: 'once' })).cluster?.name).toBe(name);
  await expect(create()).rejects.toMatchObject(busy);
});

test('V-4: a cluster that is not active gets no node group', async () => {
  const { create, createGroup, move } = world();
  await create();
  const refused = { name: 'InvalidRequestException', $metadata: { httpStatusCode: 400 } };
  await expect(createGroup(name)).rejects.toMatchObject({ ...refused, message: expect.stringContaining('CREATING') });
  await move('1.29');
  await expect(createGroup()).rejects.toMatchObject({ ...refused, message: expect.stringContaining('UPDATING') });
});

test('a cluster whose nodes have no API server to join says so, and has no groups', async () => {
  const { clock, create, createGroup, eks } = world();
  await createGroup();
  await create();
  await clock.advance(11 * minute);
  await expect(createGroup(name)).rejects.toMatchObject({
    name: 'InvalidRequestException',
    message: expect.stringContaining('cluster second has none to join'),
  });
  expect((await eks.send(new ListNodegroupsCommand({ clusterName: name }))).nodegroups).toEqual([]);
});

test('V-5: a cluster that has node groups, is busy or protected is not deleted', async () => {
  const { clock, configure, create, createGroup, eks } = world();
  const remove = (of: string) => eks.send(new DeleteClusterCommand({ name: of }));
  await createGroup();
  await expect(remove(hosted)).rejects.toMatchObject({ ...busy, message: expect.stringContaining('workers') });
  await create({ deletionProtection: true });
  await expect(remove(name)).rejects.toMatchObject({ ...busy, message: expect.stringContaining('CREATING') });
  await clock.advance(11 * minute);
  await expect(remove(name)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  await configure({ name, deletionProtection: false });
  await clock.advance(4 * minute);
  expect((await remove(name)).cluster?.status).toBe('DELETING');
});

for (const { type, input, params, after } of [
  {
    type: 'EndpointAccessUpdate',
    input: { resourcesVpcConfig: { endpointPrivateAccess: true, endpointPublicAccess: false } },
    params: [
      { type: 'EndpointPublicAccess', value: 'false' },
      { type: 'EndpointPrivateAccess', value: 'true' },
    ],
    after: { resourcesVpcConfig: { endpointPrivateAccess: true, endpointPublicAccess: false } },
  },
  {
    type: 'LoggingUpdate',
    input: { logging: { clusterLogging: [{ types: ['audit' as const], enabled: true }] } },
    params: [{ type: 'ClusterLogging', value: '{"clusterLogging":[{"types":["audit"],"enabled":true}]}' }],
    after: {
      logging: {
        clusterLogging: [
          { types: ['audit'], enabled: true },
          { types: ['api', 'authenticator', 'controllerManager', 'scheduler'], enabled: false },
        ],
      },
    },
  },
  {
    type: 'UpgradePolicyUpdate',
    input: { upgradePolicy: { supportType: 'STANDARD' as const } },
    params: [{ type: 'UpgradePolicy', value: '{"supportType":"STANDARD"}' }],
    after: { upgradePolicy: { supportType: 'STANDARD' } },
  },
  {
    type: 'AccessConfigUpdate',
    input: { accessConfig: { authenticationMode: 'API' as const } },
    params: [{ type: 'AuthenticationMode', value: 'API' }],
    after: { accessConfig: { authenticationMode: 'API' } },
  },
]) {
  test(`UPD-1, UPD-4: a ${type} is under way at once, and shows in the cluster when it has ended`, async () => {
    const { clock, configure, describe, outcome } = world();
    const { update } = await configure(input);
    expect(update).toMatchObject({ status: 'InProgress', type, params });
    expect((await describe())?.status).toBe('UPDATING');
    await expect(configure(input)).rejects.toMatchObject(busy);
    await clock.advance(4 * minute);
    expect(await outcome(update?.id)).toMatchObject({ status: 'Successful', errors: [] });
    expect(await describe()).toMatchObject({ status: 'ACTIVE', ...after });
  });
}

test('an update of the settings changes one kind of them', async () => {
  const { configure } = world();
  await expect(configure({})).rejects.toMatchObject(invalid);
  await expect(
    configure({ deletionProtection: true, upgradePolicy: { supportType: 'STANDARD' } }),
  ).rejects.toMatchObject({ ...invalid, message: expect.stringContaining('UpgradePolicyUpdate and Deletion') });
});

test('clusters and groups are tagged and untagged by their ARN', async () => {
  const { aws, createGroup, describe, eks } = world();
  await createGroup();
  for (const resourceArn of [(await describe())?.arn, aws.eks.nodeGroups.group('workers').arn]) {
    await eks.send(new TagResourceCommand({ resourceArn, tags: { a: '1', b: '2' } }));
    await eks.send(new UntagResourceCommand({ resourceArn, tagKeys: ['a'] }));
    const { tags } = await eks.send(new ListTagsForResourceCommand({ resourceArn }));
    expect([tags?.['a'], tags?.['b']]).toEqual([undefined, '2']);
  }
  await expect(
    eks.send(new ListTagsForResourceCommand({ resourceArn: 'arn:aws:eks:us-east-1:111122223333:cluster/none' })),
  ).rejects.toMatchObject({ name: 'NotFoundException', $metadata: { httpStatusCode: 404 } });
});

test('VER-6: within seven days a cluster goes back to where it came from', async () => {
  const { clock, describe, move, outcome } = world();
  await move('1.29');
  await clock.advance(6 * day);
  const { update } = await move('1.28');
  expect(update).toMatchObject({
    type: 'VersionRollback',
    status: 'InProgress',
    params: [{ type: 'Version', value: '1.28' }, { type: 'PlatformVersion' }],
  });
  await clock.advance(11 * minute);
  expect(await outcome(update?.id)).toMatchObject({ status: 'Successful' });
  expect((await describe())?.version).toBe('1.28');
});

for (const { fact, waitMs, to, input, says } of [
  { fact: 'after seven days', waitMs: 8 * day, to: '1.28', input: {}, says: 'more than seven days ago' },
  { fact: 'to where it never was', waitMs: 0, to: '1.27', input: {}, says: 'from 1.29 to 1.27' },
  {
    fact: 'with a limit that is too short',
    waitMs: 0,
    to: '1.28',
    input: { rollbackConfig: { timeoutMinutes: 60 } },
    says: 'from 120 to 10080',
  },
]) {
  test(`VER-6, V-24: a cluster does not go back ${fact}`, async () => {
    const { clock, move } = world();
    await move('1.29');
    await clock.advance(11 * minute + waitMs);
    await expect(move(to, input)).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(says) });
  });
}

test('VER-6: a cluster that was created at its version has nowhere to go back to', async () => {
  await expect(world().move('1.27')).rejects.toMatchObject({ ...invalid, message: expect.stringContaining('1.27') });
});

test('VER-5, VER-6: groups go back before the cluster does, and force changes nothing about that', async () => {
  const all = world();
  const { clock, createGroup, move } = all;
  await createGroup();
  await settle(all);
  await move('1.29');
  await clock.advance(11 * minute);
  await settle(all, '1.29');
  const refusal = { ...invalid, message: expect.stringContaining('workers (1.29) must be updated to version 1.28') };
  await expect(move('1.28')).rejects.toMatchObject(refusal);
  await expect(move('1.28', { force: true })).rejects.toMatchObject(refusal);
  await settle(all, '1.28');
  expect((await move('1.28')).update?.type).toBe('VersionRollback');
});

test('VER-7, FRC-5: a finding in error blocks an update of the cluster unless it is forced', async () => {
  const { aws, eks, move } = world();
  aws.faults.add({ kind: 'insight', category: 'UPGRADE_READINESS' });
  const { insights } = await eks.send(new ListInsightsCommand({ clusterName: hosted }));
  expect(insights).toMatchObject([{ category: 'UPGRADE_READINESS', insightStatus: { status: 'ERROR' } }]);
  await expect(move('1.29')).rejects.toMatchObject({
    name: 'InvalidStateException',
    $metadata: { httpStatusCode: 400 },
  });
  expect((await move('1.29', { force: true })).update?.status).toBe('InProgress');
});

test('VER-9: findings are as they were when EKS last looked: once a day, when it was asked to, or at a new version', async () => {
  const all = world();
  const { clock, createGroup, eks, move } = all;
  const found = async () => (await eks.send(new ListInsightsCommand({ clusterName: hosted }))).insights?.[0];
  const start = () => eks.send(new StartInsightsRefreshCommand({ clusterName: hosted }));
  const refresh = () => eks.send(new DescribeInsightsRefreshCommand({ clusterName: hosted }));
  await createGroup();
  await settle(all, '1.27');
  const first = await found();
  expect(first).toMatchObject({ insightStatus: { status: 'ERROR' }, kubernetesVersion: '1.29' });
  await settle(all, '1.28');
  await clock.advance(60 * minute);
  expect(await found()).toEqual(first);
  expect(await start()).toMatchObject({ status: 'IN_PROGRESS' });
  expect(await refresh()).toMatchObject({ status: 'IN_PROGRESS' });
  expect(await found()).toEqual(first);
  await clock.advance(3 * minute);
  expect(await refresh()).toMatchObject({ status: 'COMPLETED', endedAt: expect.any(Date) as Date });
  const second = await found();
  expect(second).toMatchObject({ insightStatus: { status: 'PASSING' } });
  expect(second?.lastRefreshTime).toEqual(second?.lastTransitionTime);
  await settle(all, '1.27');
  expect((await found())?.insightStatus?.status).toBe('PASSING');
  await clock.advance(day);
  expect((await found())?.insightStatus?.status).toBe('ERROR');
  await settle(all, '1.28');
  await clock.advance(day);
  const passing = await found();
  await clock.advance(day);
  const still = await found();
  expect(still?.lastTransitionTime).toEqual(passing?.lastTransitionTime);
  expect(Number(still?.lastRefreshTime) - Number(passing?.lastRefreshTime)).toBe(day);
  await move('1.29');
  await clock.advance(11 * minute);
  expect(await found()).toMatchObject({ kubernetesVersion: '1.30' });
});

for (const status of ['WARNING', 'UNKNOWN'] as const) {
  test(`VER-7: a finding that is ${status} blocks nothing`, async () => {
    const { aws, move } = world();
    aws.faults.add({ kind: 'insight', status });
    expect((await move('1.29')).update?.status).toBe('InProgress');
  });
}

test('VER-8, UPD-10: the rollback of an Auto Mode cluster moves nodes first, and can be cancelled until then', async () => {
  const { clock, configure, describe, eks, move, outcome } = world();
  await configure({ computeConfig: { enabled: true } });
  await clock.advance(4 * minute);
  const forward = (await move('1.29')).update?.id;
  const cancel = (updateId: string | undefined) => eks.send(new CancelUpdateCommand({ name: hosted, updateId }));
  await expect(cancel(forward)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  await clock.advance(11 * minute);
  const first = (await move('1.28')).update?.id;
  await clock.advance(20 * minute);
  expect((await cancel(first)).update).toMatchObject({ status: 'Cancelled', cancellation: { status: 'Successful' } });
  await clock.advance(60 * minute);
  expect(await describe()).toMatchObject({ version: '1.29', status: 'ACTIVE' });
  const second = (await move('1.28')).update?.id;
  await clock.advance(31 * minute);
  await expect(cancel(second)).rejects.toMatchObject({ name: 'InvalidRequestException' });
  await clock.advance(11 * minute);
  expect(await outcome(second)).toMatchObject({ status: 'Successful', type: 'VersionRollback' });
  expect((await eks.send(new ListUpdatesCommand({ name: hosted }))).updateIds).toHaveLength(4);
});

test('scenario 17, V-25, VER-3: strictly, a group has the minor of the cluster before the cluster moves on', async () => {
  const all = world();
  await all.createGroup();
  await settle(all, '1.27');
  await expect(all.move('1.29')).rejects.toMatchObject({
    ...invalid,
    message: expect.stringContaining('Nodegroups workers (1.27)'),
  });
});

for (const { lag, isRefused } of [
  { lag: '1.27', isRefused: false },
  { lag: '1.26', isRefused: false },
  { lag: '1.25', isRefused: true },
  { lag: '1.24', isRefused: true },
]) {
  test(`VER-2, VER-3: where Kubernetes's skew counts, a group at ${lag} ${isRefused ? 'holds up' : 'lets through'} an update to 1.29`, async () => {
    const all = world({ nodeSkew: 'kubernetes' });
    await all.createGroup();
    await settle(all, lag);
    const moved = all.move('1.29');
    if (isRefused) await expect(moved).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(lag) });
    else expect((await moved).update?.status).toBe('InProgress');
  });
}
