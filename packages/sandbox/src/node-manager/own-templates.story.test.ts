import { CreateLaunchTemplateCommand, CreateLaunchTemplateVersionCommand, EC2Client } from '@aws-sdk/client-ec2';
import { CreateNodegroupCommand, UpdateNodegroupVersionCommand } from '@aws-sdk/client-eks';
import { expect, test } from 'vitest';
import {
  inProcess,
  aGroup,
  groupWorld,
  type GroupWorld,
  newImage,
  newRelease,
  oldRelease,
} from '@nodewright/testkit/worlds';

const oldImage = 'ami-0010f5094edd17625';
const names = { clusterName: 'sandbox', nodegroupName: 'default' };
const encoded = (text: string): string => Buffer.from(text).toString('base64');

/** What a customer's own image has to be told, for EKS adds nothing. */
const bootstrap = encoded(`#!/bin/bash
/etc/eks/bootstrap.sh sandbox --b64-cluster-ca ${encoded('sandbox')} --apiserver-endpoint https://kubernetes.sandbox.internal
`);

async function world(data: object) {
  const group = await groupWorld();
  const ec2 = new EC2Client(inProcess(group.aws.handle));
  await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'own', LaunchTemplateData: data }));
  const next = (LaunchTemplateData: object) =>
    ec2.send(
      new CreateLaunchTemplateVersionCommand({ LaunchTemplateName: 'own', SourceVersion: '1', LaunchTemplateData }),
    );
  return { ...group, ec2, next };
}

const labelsOf = async (all: GroupWorld, key: string) =>
  (await all.nodes()).map(({ metadata }) => metadata.labels?.[`eks.amazonaws.com/${key}`]);

/** The newest version of the template that EKS made. */
const eksTemplate = ({ aws, scaling }: GroupWorld) =>
  aws.ec2.templates.version({ LaunchTemplateId: scaling()?.template.id ?? '', Version: '$Latest' }).data;

test('scenario 14, LBL-6, LTP-3, LTP-6, DSC-1: nodes of an own image are labelled and tainted once they have joined, and roll with the template', async () => {
  const all = await world({ ImageId: oldImage, UserData: bootstrap });
  const taints = [{ key: 'team', value: 'web', effect: 'NO_SCHEDULE' as const }];
  await all.started({ launchTemplate: { name: 'own' }, releaseVersion: undefined, labels: { a: 'b' }, taints });
  expect(await all.group()).toMatchObject({ status: 'ACTIVE', releaseVersion: oldImage, health: { issues: [] } });
  expect(eksTemplate(all).UserData).toBe(bootstrap);
  const [node] = await all.nodes();
  expect(node?.spec?.taints).toEqual([{ key: 'team', value: 'web', effect: 'NoSchedule' }]);
  expect(node?.metadata.labels).toMatchObject({ a: 'b', 'eks.amazonaws.com/capacityType': 'ON_DEMAND' });
  await all.next({ ImageId: newImage });
  const id = await all.update({ launchTemplate: { name: 'own', version: '2' } });
  await all.after(40);
  expect(await all.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await all.group()).toMatchObject({ amiType: 'CUSTOM', releaseVersion: newImage });
  expect(await labelsOf(all, 'nodegroup-image')).toEqual([newImage, newImage, newImage]);
  expect(await labelsOf(all, 'sourceLaunchTemplateVersion')).toEqual(['2', '2', '2']);
});

test('LTP-2: a new version of a template recycles every node, whatever it changes', async () => {
  const all = await world({ Monitoring: { Enabled: false } });
  await all.started({ launchTemplate: { name: 'own', version: '1' } });
  const before = (await all.nodes()).map(({ metadata }) => metadata.name);
  await all.next({ Monitoring: { Enabled: true } });
  const id = await all.update({ launchTemplate: { name: 'own', version: '2' }, releaseVersion: oldRelease });
  await all.after(40);
  expect(await all.outcome(id)).toMatchObject({ status: 'Successful' });
  const after = (await all.nodes()).map(({ metadata }) => metadata.name);
  expect(after.filter((name) => before.includes(name))).toEqual([]);
  expect(await labelsOf(all, 'nodegroup-image')).toEqual([oldImage, oldImage, oldImage]);
});

test('DSC-2, LTP-1: machines are of the type that the version of the template names', async () => {
  const all = await world({ InstanceType: 'm5.large' });
  await all.started({ launchTemplate: { name: 'own' }, instanceTypes: undefined });
  expect((await all.group()).instanceTypes).toBeUndefined();
  const typesOf = async () =>
    (await all.nodes()).map(({ metadata }) => metadata.labels?.['node.kubernetes.io/instance-type']);
  expect(await typesOf()).toEqual(['m5.large', 'm5.large', 'm5.large']);
  await all.next({ InstanceType: 'c5.large' });
  const id = await all.update({ launchTemplate: { name: 'own', version: '2' }, releaseVersion: oldRelease });
  await all.after(40);
  expect(await all.outcome(id)).toMatchObject({ status: 'Successful' });
  expect(await typesOf()).toEqual(['c5.large', 'c5.large', 'c5.large']);
  await all.next({ InstanceType: 'm6g.large' });
  await expect(all.update({ launchTemplate: { name: 'own', version: '3' } })).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: expect.stringContaining('[m6g.large] is not a valid instance type') as string,
  });
});

test('RES-4: a template without a version is its default version, not its latest', async () => {
  const all = await world({ Monitoring: { Enabled: false } });
  await all.next({ Monitoring: { Enabled: true } });
  await all.started({ launchTemplate: { name: 'own' } });
  expect((await all.group()).launchTemplate).toMatchObject({ name: 'own', version: '1' });
});

test('LTP-3: user data of the customer comes first, and what EKS has to say after it', async () => {
  const own = encoded(
    'MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary="x"\n\n--x\nContent-Type: text/x-shellscript\n\necho mine\n--x--\n',
  );
  const all = await world({ UserData: own });
  await all.started({ launchTemplate: { name: 'own' } });
  const merged = Buffer.from(eksTemplate(all).UserData ?? '', 'base64').toString('utf8');
  expect(merged.indexOf('echo mine')).toBeGreaterThan(0);
  expect(merged.indexOf('/etc/eks/bootstrap.sh')).toBeGreaterThan(merged.indexOf('echo mine'));
});

const groupOf = (amiType: 'BOTTLEROCKET_x86_64' | 'WINDOWS_CORE_2019_x86_64') => ({
  amiType,
  releaseVersion: undefined,
  labels: { team: 'web' },
  taints: [
    { key: 'team', value: 'web', effect: 'NO_SCHEDULE' as const },
    { key: 'team', value: 'web', effect: 'NO_EXECUTE' as const },
  ],
});

for (const { family, group, UserData, kept } of [
  {
    family: 'Bottlerocket',
    group: groupOf('BOTTLEROCKET_x86_64'),
    UserData: encoded(
      '[settings.kubernetes]\ncluster-name = "not-mine"\nallowed-unsafe-sysctls = ["net.core.somaxconn"]\n',
    ),
    kept: 'net.core.somaxconn',
  },
  {
    family: 'Windows',
    group: groupOf('WINDOWS_CORE_2019_x86_64'),
    UserData: encoded('<powershell>\nWrite-Output "mine: $1"\n</powershell>\n'),
    kept: 'mine: $1',
  },
]) {
  test(`LTP-3, LBL-3: ${family} nodes join with the labels and taints of their group, with and without words of the customer`, async () => {
    const all = await world({ UserData });
    await all.started(group);
    const second = { ...group, ...aGroup(all.aws), ...group, nodegroupName: 'second', launchTemplate: { name: 'own' } };
    await all.eks.send(new CreateNodegroupCommand(second));
    await all.after(15);
    const found = await all.nodes();
    expect(found.map(({ metadata }) => metadata.labels?.['team'])).toEqual(Array.from({ length: 6 }, () => 'web'));
    expect(found[0]?.spec?.taints).toEqual([
      { key: 'team', value: 'web', effect: 'NoSchedule' },
      { key: 'team', value: 'web', effect: 'NoExecute' },
    ]);
    const { resources } = all.aws.eks.nodeGroups.group('second');
    const copy = all.aws.ec2.templates.version({ LaunchTemplateId: resources?.templateId ?? '', Version: '1' }).data;
    expect(Buffer.from(copy.UserData ?? '', 'base64').toString('utf8')).toContain(kept);
  });
}

test.for([
  ['AL2_x86_64', 'MIME multipart'],
  ['BOTTLEROCKET_x86_64', 'TOML'],
  ['WINDOWS_CORE_2019_x86_64', 'PowerShell'],
] as const)('LTP-3: user data that is not in the format of %s is refused', async ([amiType, format]) => {
  const all = await world({ UserData: encoded('#!/bin/bash\necho mine\n') });
  const made = all.create({ amiType, releaseVersion: undefined, launchTemplate: { name: 'own' } });
  await expect(made).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: expect.stringContaining(format) as string,
  });
});

test('LTP-4, OBJ-2: own security groups stand in for that of the cluster, in a template that is a copy', async () => {
  const all = await world({ Monitoring: { Enabled: true } });
  const [shared, cluster] = all.aws.ec2.network.securityGroups.map(({ id }) => id);
  await all.started();
  expect(eksTemplate(all).SecurityGroupIds).toEqual([cluster]);
  await all.next({ SecurityGroupIds: [shared ?? ''] });
  await all.eks.send(
    new CreateNodegroupCommand({
      ...aGroup(all.aws),
      nodegroupName: 'second',
      launchTemplate: { name: 'own', version: '2' },
    }),
  );
  await all.after(1);
  const { resources, source } = all.aws.eks.nodeGroups.group('second');
  expect(resources?.templateId).not.toBe(source?.id);
  const copy = all.aws.ec2.templates.version({ LaunchTemplateId: resources?.templateId ?? '', Version: '1' }).data;
  expect(copy.SecurityGroupIds).toEqual([shared]);
});

test('LTP-5, SET-1, SET-2: an update makes a version of the template that EKS made, and points the group at its number', async () => {
  const all = await world({ Monitoring: { Enabled: true } });
  await all.started();
  await expect(
    all.eks.send(new UpdateNodegroupVersionCommand({ ...names, launchTemplate: { name: 'own' } })),
  ).rejects.toMatchObject({ name: 'InvalidRequestException' });
  const id = await all.update({ releaseVersion: newRelease });
  await all.after(0.2);
  expect(all.scaling()?.template.version).toBe('2');
  expect(eksTemplate(all).ImageId).toBe(newImage);
  await all.after(30);
  expect(await all.outcome(id)).toMatchObject({ status: 'Successful' });
});

test('LT-4: a managed group takes no template that names its image by a parameter', async () => {
  const all = await world({ ImageId: 'resolve:ssm:/aws/service/eks/optimized-ami/1.23/amazon-linux-2/image_id' });
  await expect(all.create({ launchTemplate: { name: 'own' }, releaseVersion: undefined })).rejects.toMatchObject({
    name: 'InvalidParameterException',
    message: expect.stringContaining('by its id'),
  });
});
