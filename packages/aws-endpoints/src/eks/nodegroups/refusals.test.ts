import { AutoScalingClient, StartInstanceRefreshCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand, CreateLaunchTemplateCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CancelUpdateCommand,
  CreateNodegroupCommand,
  type CreateNodegroupCommandInput,
  DeleteNodegroupCommand,
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  EKSClient,
  ListNodegroupsCommand,
  ListUpdatesCommand,
  UpdateClusterVersionCommand,
  UpdateNodegroupConfigCommand,
  type UpdateNodegroupConfigCommandInput,
  UpdateNodegroupVersionCommand,
  type UpdateNodegroupVersionCommandInput,
} from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import { aRelease, inProcess, aTestAccount } from '@nodewright/testkit/worlds';

const clusterName = 'my-cluster';
const nodegroupName = 'workers';
const nodeRole = 'arn:aws:iam::111122223333:role/karpenterNodeRole-my-cluster';

const build = (minor: string, date: string, digit: number) =>
  aRelease({
    kubernetesVersion: minor,
    version: `v${date}`,
    imageId: `ami-0aaaaaaaaaaaaaaa${digit}`,
    name: `amazon-eks-node-${minor}-v${date}`,
    createdAt: '2024-01-01T20:00:00Z',
    publishedAt: '2024-01-02T20:00:00Z',
    kubeletVersion: `v${minor}.5-eks-5e0fdde`,
  });

const releases = [
  build('1.27', '20240117', 1),
  build('1.28', '20240110', 2),
  build('1.28', '20240117', 3),
  build('1.29', '20240117', 4),
  { ...build('1.28', '20240117', 5), family: 'Bottlerocket' as const, version: 'v1.18.0' },
];

/** An account with three templates: plain, with a type, with an image. */
async function world() {
  const account = aTestAccount({ releases });
  const { aws, clock } = account;
  const eks = new EKSClient(inProcess(aws.handle));
  const ec2 = new EC2Client(inProcess(aws.handle));
  const template = (LaunchTemplateName: string, LaunchTemplateData: object) =>
    ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName, LaunchTemplateData }));
  await template('plain', { Monitoring: { Enabled: true } });
  await template('other', { Monitoring: { Enabled: true } });
  await template('typed', { InstanceType: 'm5.large' });
  await template('imaged', { ImageId: 'ami-0aaaaaaaaaaaaaaa3', InstanceType: 'm5.large' });
  await template('profiled', { IamInstanceProfile: { Name: 'mine' } });
  await ec2.send(
    new CreateLaunchTemplateVersionCommand({
      LaunchTemplateName: 'imaged',
      LaunchTemplateData: { InstanceType: 'm5.large', ImageId: 'ami-0aaaaaaaaaaaaaaa2' },
    }),
  );
  const subnets = aws.ec2.network.subnets.filter((subnet) => !subnet.public).map(({ id }) => id);
  const create = (input: Partial<CreateNodegroupCommandInput> = {}) =>
    eks.send(
      new CreateNodegroupCommand({
        clusterName,
        nodegroupName,
        nodeRole,
        subnets,
        instanceTypes: ['m5.large'],
        ...input,
      }),
    );
  return {
    ...account,
    eks,
    create,
    /** A group that is there, as the node manager would leave it. */
    active: async (input: Partial<CreateNodegroupCommandInput> = {}): Promise<void> => {
      await create({ scalingConfig: { minSize: 1, maxSize: 3, desiredSize: 2 }, ...input });
      await clock.advance(60_000);
      aws.eks.nodeGroups.keep({ ...aws.eks.nodeGroups.group(nodegroupName), status: 'ACTIVE' });
    },
    update: (input: Partial<UpdateNodegroupVersionCommandInput> = {}) =>
      eks.send(new UpdateNodegroupVersionCommand({ clusterName, nodegroupName, ...input })),
    configure: (input: Partial<UpdateNodegroupConfigCommandInput> = {}) =>
      eks.send(new UpdateNodegroupConfigCommand({ clusterName, nodegroupName, ...input })),
    describe: async () => (await eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }))).nodegroup,
  };
}

const invalid = { name: 'InvalidParameterException', $metadata: { httpStatusCode: 400 } };

const noExecute = { key: 'a', effect: 'NO_EXECUTE' } as const;
const anOverride = {
  nodeMonitoringCondition: 'Ready',
  nodeUnhealthyReason: 'Unknown',
  minRepairWaitTimeMins: 10,
  repairAction: 'Replace',
} as const;

const creations: readonly { rule: string; input: Partial<CreateNodegroupCommandInput>; says: string }[] = [
  { rule: 'V-6', input: { launchTemplate: { name: 'plain' }, diskSize: 50 }, says: 'Disk size' },
  {
    rule: 'V-7',
    input: { launchTemplate: { name: 'plain' }, remoteAccess: { ec2SshKey: 'k' } },
    says: 'Remote access',
  },
  { rule: 'V-8', input: { launchTemplate: { name: 'typed' } }, says: 'instance types' },
  { rule: 'V-9', input: { launchTemplate: { name: 'profiled' } }, says: 'an instance profile' },
  { rule: 'V-10', input: { launchTemplate: { name: 'plain', id: 'lt-1' } }, says: 'exactly one' },
  {
    rule: 'V-11',
    input: { scalingConfig: { minSize: 3, maxSize: 4, desiredSize: 2 } },
    says: "3 can't be greater than desired size 2",
  },
  {
    rule: 'V-12',
    input: { scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 5 } },
    says: "5 can't be greater than max size 2",
  },
  { rule: 'V-13', input: { updateConfig: { maxUnavailable: 1, maxUnavailablePercentage: 10 } }, says: 'not both' },
  { rule: 'V-13', input: { updateConfig: { maxUnavailable: 101 } }, says: 'from 1 to 100' },
  {
    rule: 'V-14',
    input: { launchTemplate: { name: 'imaged' }, instanceTypes: undefined, version: '1.28' },
    says: 'custom AMI',
  },
  {
    rule: 'V-14',
    input: { launchTemplate: { name: 'imaged' }, instanceTypes: undefined, amiType: 'AL2_x86_64' },
    says: 'CUSTOM',
  },
  { rule: 'V-19', input: { releaseVersion: '1.28.5-20230101' }, says: '1.28.5-20230101' },
  { rule: 'V-23', input: { version: '1.27' }, says: "cluster's version 1.28" },
  { rule: 'LBL-4, V-26', input: { labels: { 'eks.amazonaws.com/mine': 'x' } }, says: 'reserved prefixes' },
  {
    rule: 'V-29',
    input: { nodeRepairConfig: { maxUnhealthyNodeThresholdCount: 1, maxUnhealthyNodeThresholdPercentage: 1 } },
    says: 'not both',
  },
  {
    rule: 'V-30',
    input: { nodeRepairConfig: { nodeRepairConfigOverrides: [{ nodeMonitoringCondition: 'Ready' }] } },
    says: 'is missing',
  },
  {
    rule: 'V-31',
    input: { warmPoolConfig: { enabled: true, poolState: 'HIBERNATED' }, amiType: 'BOTTLEROCKET_x86_64' },
    says: 'Bottlerocket supports neither HIBERNATED',
  },
  { rule: 'LBL-5', input: { taints: [{ key: 'a', effect: 'NoSchedule' as never }] }, says: 'NO_SCHEDULE' },
  { rule: 'OBJ-5', input: { nodegroupName: '-x' }, says: '1-63 letters' },
  { rule: 'LBL-5', input: { taints: [noExecute, noExecute] }, says: 'given twice' },
  {
    rule: 'MIN-1',
    input: { updateConfig: { updateStrategy: 'FAST' as never } },
    says: 'updateStrategy is FAST, must be one of DEFAULT, MINIMAL',
  },
  { rule: '5.1', input: { capacityType: 'FREE' as never }, says: 'capacityType is FREE' },
  { rule: '5.1', input: { instanceTypes: Array.from({ length: 21 }, () => 'm5.large') }, says: '21 given' },
  { rule: '5.1', input: { diskSize: 0 }, says: '1 GiB or more' },
  {
    rule: '5.1',
    input: { tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`tag-${at}`, ''])) },
    says: '51 given',
  },
  {
    rule: '5.1',
    input: { amiType: 'AL2_x86_64', instanceTypes: ['m5.large', 'm6g.large'] },
    says: '[m6g.large] is not a valid instance type for requested amiType AL2_x86_64',
  },
  {
    rule: 'REP-4',
    input: { nodeRepairConfig: { maxUnhealthyNodeThresholdPercentage: 101 } },
    says: 'is 101, must be from 1 to 100',
  },
  { rule: 'REP-5', input: { nodeRepairConfig: { maxParallelNodesRepairedCount: 0 } }, says: 'is 0, must be 1 or more' },
  {
    rule: 'REP-6',
    input: { nodeRepairConfig: { nodeRepairConfigOverrides: [{ ...anOverride, repairAction: 'Pray' as never }] } },
    says: 'must be one of Replace, Reboot, NoAction',
  },
  {
    rule: 'REP-6',
    input: { nodeRepairConfig: { nodeRepairConfigOverrides: [{ ...anOverride, minRepairWaitTimeMins: 0 }] } },
    says: 'minRepairWaitTimeMins is 0',
  },
  { rule: 'WRM-1', input: { warmPoolConfig: { enabled: true, poolState: 'COLD' as never } }, says: 'STOPPED, RUNNING' },
  { rule: 'WRM-1', input: { warmPoolConfig: { enabled: true, minSize: -1 } }, says: 'minSize is -1' },
];

for (const { rule, input, says } of creations) {
  test(`${rule}: a group with ${JSON.stringify(input)} is refused`, async () => {
    const { create } = await world();
    await expect(create(input)).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(says) });
  });
}

test('V-1, V-2, V-3: what is not there is not found, and a name is taken once', async () => {
  const { active, create, eks } = await world();
  await expect(create({ clusterName: 'other' })).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    clusterName: 'other',
  });
  await expect(eks.send(new DescribeNodegroupCommand({ clusterName, nodegroupName }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
    nodegroupName,
    $metadata: { httpStatusCode: 404 },
  });
  await active();
  await expect(create()).rejects.toMatchObject({ name: 'ResourceInUseException', $metadata: { httpStatusCode: 409 } });
  expect((await eks.send(new ListNodegroupsCommand({ clusterName }))).nodegroups).toEqual([nodegroupName]);
});

test('V-27, V-28, WIRE-11: the same creation again, by its token, is the same group', async () => {
  const { create } = await world();
  const first = await create({ clientRequestToken: 'once' });
  const again = await create({ clientRequestToken: 'once' });
  expect(again.nodegroup?.nodegroupArn).toBe(first.nodegroup?.nodegroupArn);
  await expect(create({ clientRequestToken: 'once', labels: { a: 'b' } })).rejects.toMatchObject(invalid);
  await expect(create({ clientRequestToken: 'twice' })).rejects.toMatchObject({ name: 'ResourceInUseException' });
});

test('OBJ-1, OBJ-3, OBJ-4, OBJ-6, OBJ-7, OBJ-11: EKS makes an Auto Scaling group with its tags, hooks and policies', async () => {
  const { active, aws, describe } = await world();
  await active();
  const group = await describe();
  const uuid = group?.nodegroupArn?.split('/').at(-1);
  expect(group?.nodegroupArn).toMatch(
    /^arn:aws:eks:us-east-1:111122223333:nodegroup\/my-cluster\/workers\/[0-9a-f-]{36}$/,
  );
  expect(group?.resources?.autoScalingGroups).toHaveLength(1);
  const scaling = aws.autoScaling.group(group?.resources?.autoScalingGroups?.[0]?.name ?? '');
  expect(scaling.name).toBe(`eks-workers-${uuid}`);
  expect(scaling).toMatchObject({
    template: { name: `eks-${uuid}`, version: '1' },
    mixed: true,
    hooks: [
      { name: 'Launch-LC-Hook', heartbeatSeconds: 1800 },
      { name: 'Terminate-LC-Hook', defaultResult: 'CONTINUE' },
    ],
    terminationPolicies: ['AllocationStrategy', 'OldestLaunchTemplate', 'OldestInstance'],
  });
  expect(scaling.tags.map(({ key }) => key)).toEqual([
    'eks:cluster-name',
    'eks:nodegroup-name',
    'k8s.io/cluster-autoscaler/my-cluster',
    'k8s.io/cluster-autoscaler/enabled',
    'kubernetes.io/cluster/my-cluster',
  ]);
});

test('DSC-1, DSC-2, DSC-4: a group with its own image tells it as its release, and leaves out what its template says', async () => {
  const { active, describe } = await world();
  await active({ launchTemplate: { name: 'imaged', version: '1' }, instanceTypes: undefined });
  const group = await describe();
  expect(group).toMatchObject({
    amiType: 'CUSTOM',
    releaseVersion: 'ami-0aaaaaaaaaaaaaaa3',
    labels: {},
    tags: {},
    health: { issues: [] },
  });
  expect([group?.diskSize, group?.instanceTypes, group?.taints]).toEqual([undefined, undefined, undefined]);
});

test('RES-1, UPD-2, UPD-6, WAIT-2: an update resolves what it was not told, and shows at once', async () => {
  const { active, describe, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  const answer = await update();
  expect(answer.update).toMatchObject({
    status: 'InProgress',
    type: 'VersionUpdate',
    errors: [],
    params: [
      { type: 'Version', value: '1.28' },
      { type: 'ReleaseVersion', value: '1.28.5-20240117' },
    ],
  });
  expect((await describe())?.status).toBe('UPDATING');
});

const updates: readonly {
  rule: string;
  input: Partial<UpdateNodegroupVersionCommandInput>;
  name?: string;
  says: string;
}[] = [
  {
    rule: 'scenario 15, V-16',
    input: { launchTemplate: { name: 'plain' } },
    name: 'InvalidRequestException',
    says: 'without a launch template',
  },
  {
    rule: 'scenario 16, V-18',
    input: { releaseVersion: '1.27.5-20240117' },
    says: '1.27.5-20240117 is not valid for kubernetes version 1.28',
  },
  { rule: 'V-19', input: { releaseVersion: '1.28.5-20200101' }, says: 'does not exist' },
  { rule: 'scenario 17, V-22', input: { version: '1.29' }, says: "1.29 can't be greater than cluster version 1.28" },
];

for (const { rule, input, name = 'InvalidParameterException', says } of updates) {
  test(`${rule}: an update to ${JSON.stringify(input)} is refused`, async () => {
    const { active, update } = await world();
    await active();
    await expect(update(input)).rejects.toMatchObject({ name, message: expect.stringContaining(says) });
  });
}

test('scenario 14, V-14, V-15, LTP-1: a group with its own image is updated by a version of its template, and by nothing else', async () => {
  const { active, update } = await world();
  await active({ launchTemplate: { name: 'imaged', version: '1' }, instanceTypes: undefined });
  await expect(update({ version: '1.28' })).rejects.toMatchObject(invalid);
  await expect(update()).rejects.toMatchObject(invalid);
  const answer = await update({ launchTemplate: { name: 'imaged', version: '2' } });
  expect(answer.update?.params).toEqual([
    { type: 'LaunchTemplateName', value: 'imaged' },
    { type: 'LaunchTemplateVersion', value: '2' },
  ]);
});

test('V-16: another template needs a new group', async () => {
  const { active, update } = await world();
  await active({ launchTemplate: { name: 'plain' } });
  await expect(update({ launchTemplate: { name: 'other' } })).rejects.toMatchObject({
    name: 'InvalidRequestException',
  });
});

for (const { from, LaunchTemplateData } of [
  { from: 'plain', LaunchTemplateData: { ImageId: 'ami-0aaaaaaaaaaaaaaa3' } },
  { from: 'imaged', LaunchTemplateData: { InstanceType: 'm5.large' as const } },
]) {
  test(`V-17: a group of the template ${from} cannot change between an own image and an EKS optimized one`, async () => {
    const { active, aws, update } = await world();
    await active({
      launchTemplate: { name: from, version: '1' },
      ...(from === 'imaged' && { instanceTypes: undefined }),
    });
    const next = new CreateLaunchTemplateVersionCommand({ LaunchTemplateName: from, LaunchTemplateData });
    const { LaunchTemplateVersion } = await new EC2Client(inProcess(aws.handle)).send(next);
    const version = String(LaunchTemplateVersion?.VersionNumber);
    await expect(update({ launchTemplate: { name: from, version } })).rejects.toMatchObject({
      ...invalid,
      message: expect.stringContaining('create a new group'),
    });
  });
}

for (const { to, cluster, isRefused } of [
  { to: '1.27', cluster: '1.28', isRefused: false },
  { to: '1.27', cluster: '1.29', isRefused: true },
]) {
  test(`FAIL-8: a group at 1.28 ${isRefused ? 'does not go' : 'goes'} back to ${to} under a cluster at ${cluster}`, async () => {
    const { active, aws, update } = await world();
    await active();
    aws.eks.clusters.keep({ ...aws.eks.clusters.cluster(clusterName), version: cluster });
    const asked = update({ version: to });
    if (isRefused) await expect(asked).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(to) });
    else expect((await asked).update?.params?.[0]).toEqual({ type: 'Version', value: to });
  });
}

test('RES-2: a version that is named is the newest release of that minor', async () => {
  const { active, aws, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  aws.eks.clusters.keep({ ...aws.eks.clusters.cluster(clusterName), version: '1.29' });
  expect((await update({ version: '1.29' })).update?.params).toEqual([
    { type: 'Version', value: '1.29' },
    { type: 'ReleaseVersion', value: '1.29.5-20240117' },
  ]);
});

for (const { types, pods } of [
  { types: ['m5.large'], pods: 29 },
  { types: ['m5.large', 't3.medium'], pods: 17 },
  { types: ['m5.4xlarge'], pods: 110 },
]) {
  test(`OBJ-10: nodes of ${types.join(' and ')} take up to ${pods} pods`, async () => {
    const { active, aws } = await world();
    await active({ instanceTypes: types });
    const [template] = aws.ec2.templates.all().filter(({ name }) => name.startsWith('eks-'));
    const userData = Buffer.from(template?.versions[0]?.data.UserData ?? '', 'base64').toString('utf8');
    expect(userData).toContain(`--max-pods=${pods}`);
  });
}

test('DSC-3, UPD-3: times are seconds since the epoch on the wire, and an update says no more than its status', async () => {
  const { active, aws, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  const { update: begun } = await update();
  const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=a/20240128/us-east-1/eks/aws4_request' };
  const read = async (path: string) => {
    const request = { method: 'GET', path, headers, body: new Uint8Array() };
    const { body } = await aws.handle(request, new AbortController().signal);
    return JSON.parse(Buffer.from(body as Uint8Array).toString('utf8')) as Record<string, Record<string, unknown>>;
  };
  const { nodegroup } = await read(`/clusters/${clusterName}/node-groups/${nodegroupName}`);
  expect(nodegroup?.['createdAt']).toBe(Date.parse('2024-01-28T16:00:00Z') / 1000);
  const seen = await read(`/clusters/${clusterName}/updates/${begun?.id}?nodegroupName=${nodegroupName}`);
  expect(Object.keys(seen['update'] ?? {}).toSorted()).toEqual([
    'createdAt',
    'errors',
    'id',
    'params',
    'status',
    'type',
  ]);
});

test('scenarios 22, 27, V-20: while an update runs, another one and a deletion are refused', async () => {
  const { active, configure, eks, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  await update();
  const busy = { name: 'ResourceInUseException', $metadata: { httpStatusCode: 409 } };
  await expect(update({ force: true })).rejects.toMatchObject(busy);
  await expect(configure({ scalingConfig: { desiredSize: 1 } })).rejects.toMatchObject(busy);
  await expect(eks.send(new DeleteNodegroupCommand({ clusterName, nodegroupName }))).rejects.toMatchObject(busy);
});

test('scenario 24, V-27, V-28: the same token is the same update, unless it comes with another request', async () => {
  const { active, eks, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  const first = await update({ clientRequestToken: 'once' });
  const again = await update({ clientRequestToken: 'once' });
  expect(again.update?.id).toBe(first.update?.id);
  await expect(update({ clientRequestToken: 'once', force: true })).rejects.toMatchObject(invalid);
  expect((await eks.send(new ListUpdatesCommand({ name: clusterName, nodegroupName }))).updateIds).toEqual([
    first.update?.id,
  ]);
});

test('UPD-8, UPD-9, UPD-10: an update of a group is found with its group only, and cannot be cancelled', async () => {
  const { active, eks, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  const updateId = (await update()).update?.id;
  await expect(eks.send(new DescribeUpdateCommand({ name: clusterName, updateId }))).rejects.toMatchObject({
    name: 'ResourceNotFoundException',
  });
  expect((await eks.send(new DescribeUpdateCommand({ name: clusterName, nodegroupName, updateId }))).update?.id).toBe(
    updateId,
  );
  expect((await eks.send(new ListUpdatesCommand({ name: clusterName }))).updateIds).toEqual([]);
  await expect(eks.send(new CancelUpdateCommand({ name: clusterName, updateId }))).rejects.toMatchObject({
    name: 'InvalidRequestException',
  });
});

test('UPD-7, CFG-1, CFG-2: a config update tells every leaf it was given, as text', async () => {
  const { active, configure, describe } = await world();
  await active({ labels: { keep: 'a', go: 'b' } });
  const { update } = await configure({
    labels: { addOrUpdateLabels: { new: 'c' }, removeLabels: ['go'] },
    taints: { addOrUpdateTaints: [{ key: 'team', value: 'web', effect: 'NO_SCHEDULE' }] },
    scalingConfig: { maxSize: 4 },
    updateConfig: { maxUnavailablePercentage: 50 },
  });
  expect(update?.type).toBe('ConfigUpdate');
  expect(update?.params).toEqual([
    { type: 'LabelsToAdd', value: '{"new":"c"}' },
    { type: 'LabelsToRemove', value: '["go"]' },
    { type: 'TaintsToAdd', value: '[{"key":"team","value":"web","effect":"NO_SCHEDULE"}]' },
    { type: 'MaxSize', value: '4' },
    { type: 'MaxUnavailablePercentage', value: '50' },
  ]);
  expect(await describe()).toMatchObject({
    labels: { keep: 'a', new: 'c' },
    updateConfig: { maxUnavailablePercentage: 50 },
  });
});

test('CFG-3, V-11: a minimum above the present size is refused unless the size comes along', async () => {
  const { active, configure } = await world();
  await active();
  await expect(configure({ scalingConfig: { minSize: 3 } })).rejects.toMatchObject(invalid);
});

test('scenario 12, V-21, ERR-1: a template version that somebody changed degrades the group until it is put back', async () => {
  const { active, aws, describe, update } = await world();
  await active({ releaseVersion: '1.28.5-20240110' });
  const scaling = aws.autoScaling.all()[0];
  const template = scaling?.template ?? { id: '', name: '', version: '' };
  aws.ec2.templates.addVersion({ LaunchTemplateId: template.id }, { data: {} });
  aws.autoScaling.change(scaling?.name ?? '', { template: { ...template, version: '2' } });
  expect(await describe()).toMatchObject({
    status: 'DEGRADED',
    health: { issues: [{ code: 'Ec2LaunchTemplateVersionMismatch' }] },
  });
  await expect(update()).rejects.toMatchObject({ name: 'InvalidRequestException' });
  aws.autoScaling.change(scaling?.name ?? '', { template });
  expect((await describe())?.status).toBe('ACTIVE');
  await update();
});

test('scenario 13: a running instance refresh stands in the way of an update', async () => {
  const { active, aws, describe, update } = await world();
  await active();
  const name = aws.autoScaling.all()[0]?.name ?? '';
  const asg = new AutoScalingClient(inProcess(aws.handle));
  await asg.send(new StartInstanceRefreshCommand({ AutoScalingGroupName: name }));
  expect((await describe())?.health?.issues).toMatchObject([{ code: 'AutoScalingGroupInstanceRefreshActive' }]);
  await expect(update()).rejects.toMatchObject({
    message: expect.stringContaining('AutoScalingGroupInstanceRefreshActive'),
  });
});

test('an Auto Scaling group deleted behind EKS degrades the managed one', async () => {
  const { active, aws, clock, describe } = await world();
  await active();
  aws.autoScaling.remove(aws.autoScaling.all()[0]?.name ?? '');
  await clock.advance(60 * 60_000);
  expect(await describe()).toMatchObject({
    status: 'DEGRADED',
    health: { issues: [{ code: 'AutoScalingGroupNotFound' }] },
  });
});

test('scenario 17, V-25, VER-3: the cluster waits for groups that lag, and names them', async () => {
  const { active, aws, eks } = await world();
  await active();
  aws.eks.nodeGroups.keep({ ...aws.eks.nodeGroups.group(nodegroupName), version: '1.27' });
  await expect(eks.send(new UpdateClusterVersionCommand({ name: clusterName, version: '1.29' }))).rejects.toMatchObject(
    {
      ...invalid,
      message: expect.stringContaining('workers (1.27)'),
    },
  );
});
