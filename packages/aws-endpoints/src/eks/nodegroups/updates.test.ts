import { AutoScalingClient, StartInstanceRefreshCommand } from '@aws-sdk/client-auto-scaling';
import { CreateLaunchTemplateVersionCommand, EC2Client } from '@aws-sdk/client-ec2';
import {
  CancelUpdateCommand,
  DeleteNodegroupCommand,
  DescribeUpdateCommand,
  ListUpdatesCommand,
  UpdateClusterVersionCommand,
  type UpdateNodegroupVersionCommandInput,
} from '@aws-sdk/client-eks';
import { aNodeGroupAccount, ownGroup, inProcess } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const { clusterName, nodegroupName } = ownGroup;
const invalid = { name: 'InvalidParameterException', $metadata: { httpStatusCode: 400 } };

test('RES-1, UPD-2, UPD-6, WAIT-2: an update resolves what it was not told, and shows at once', async () => {
  const { active, describe, update } = await aNodeGroupAccount();
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
    const { active, update } = await aNodeGroupAccount();
    await active();
    await expect(update(input)).rejects.toMatchObject({ name, message: expect.stringContaining(says) });
  });
}

test('scenario 14, V-14, V-15, LTP-1: a group with its own image is updated by a version of its template, and by nothing else', async () => {
  const { active, update } = await aNodeGroupAccount();
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
  const { active, update } = await aNodeGroupAccount();
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
    const { active, aws, update } = await aNodeGroupAccount();
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
    const { active, aws, update } = await aNodeGroupAccount();
    await active();
    aws.eks.clusters.keep({ ...aws.eks.clusters.cluster(clusterName), version: cluster });
    const asked = update({ version: to });
    if (isRefused) await expect(asked).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(to) });
    else expect((await asked).update?.params?.[0]).toEqual({ type: 'Version', value: to });
  });
}

test('RES-2: a version that is named is the newest release of that minor', async () => {
  const { active, aws, update } = await aNodeGroupAccount();
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
    const { active, aws } = await aNodeGroupAccount();
    await active({ instanceTypes: types });
    const [template] = aws.ec2.templates.all().filter(({ name }) => name.startsWith('eks-'));
    const userData = Buffer.from(template?.versions[0]?.data.UserData ?? '', 'base64').toString('utf8');
    expect(userData).toContain(`--max-pods=${pods}`);
  });
}

test('DSC-3, UPD-3: times are seconds since the epoch on the wire, and an update says no more than its status', async () => {
  const { active, aws, update } = await aNodeGroupAccount();
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
  const { active, configure, eks, update } = await aNodeGroupAccount();
  await active({ releaseVersion: '1.28.5-20240110' });
  await update();
  const busy = { name: 'ResourceInUseException', $metadata: { httpStatusCode: 409 } };
  await expect(update({ force: true })).rejects.toMatchObject(busy);
  await expect(configure({ scalingConfig: { desiredSize: 1 } })).rejects.toMatchObject(busy);
  await expect(eks.send(new DeleteNodegroupCommand({ clusterName, nodegroupName }))).rejects.toMatchObject(busy);
});

test('scenario 24, V-27, V-28: the same token is the same update, unless it comes with another request', async () => {
  const { active, eks, update } = await aNodeGroupAccount();
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
  const { active, eks, update } = await aNodeGroupAccount();
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
  const { active, configure, describe } = await aNodeGroupAccount();
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
  const { active, configure } = await aNodeGroupAccount();
  await active();
  await expect(configure({ scalingConfig: { minSize: 3 } })).rejects.toMatchObject(invalid);
});

test('scenario 12, V-21, ERR-1: a template version that somebody changed degrades the group until it is put back', async () => {
  const { active, aws, describe, update } = await aNodeGroupAccount();
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
  const { active, aws, describe, update } = await aNodeGroupAccount();
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
  const { active, aws, clock, describe } = await aNodeGroupAccount();
  await active();
  aws.autoScaling.remove(aws.autoScaling.all()[0]?.name ?? '');
  await clock.advance(60 * 60_000);
  expect(await describe()).toMatchObject({
    status: 'DEGRADED',
    health: { issues: [{ code: 'AutoScalingGroupNotFound' }] },
  });
});

test('scenario 17, V-25, VER-3: the cluster waits for groups that lag, and names them', async () => {
  const { active, aws, eks } = await aNodeGroupAccount();
  await active();
  aws.eks.nodeGroups.keep({ ...aws.eks.nodeGroups.group(nodegroupName), version: '1.27' });
  await expect(eks.send(new UpdateClusterVersionCommand({ name: clusterName, version: '1.29' }))).rejects.toMatchObject(
    {
      ...invalid,
      message: expect.stringContaining('workers (1.27)'),
    },
  );
});
