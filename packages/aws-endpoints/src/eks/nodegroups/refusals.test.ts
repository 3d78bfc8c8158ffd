import { type CreateNodegroupCommandInput, DescribeNodegroupCommand, ListNodegroupsCommand } from '@aws-sdk/client-eks';
import { aNodeGroupAccount, ownGroup } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const { clusterName, nodegroupName } = ownGroup;
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
    rule: 'V-13',
    input: { scalingConfig: { minSize: 0, maxSize: 3, desiredSize: 1 }, updateConfig: { maxUnavailable: 4 } },
    says: 'max-unavailable must be within the range 1 and max size of the node group',
  },
  {
    rule: '5.1',
    input: { subnets: ['subnet-0123456789abcdef0'] },
    says: "The subnet ID 'subnet-0123456789abcdef0' does not exist (Service: AmazonEC2; Status Code: 400; Error Code: InvalidSubnetID.NotFound)",
  },
  {
    rule: '5.1',
    input: { nodeRole: 'arn:aws:iam::111122223333:role/none' },
    says: 'The role with name none cannot be found. (Service: Iam; Status Code: 404; Error Code: NoSuchEntity)',
  },
  {
    rule: '5.1',
    input: { nodeRole: 'arn:aws:iam::444455556666:role/nodes' },
    says: 'Cross-account pass role is not allowed.',
  },
  { rule: '5.1', input: { nodeRole: 'nodes' }, says: 'nodeRole nodes is no ARN of a role' },
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
  { rule: '5.1', input: { remoteAccess: { ec2SshKey: 'none' } }, says: "The key pair 'none' does not exist" },
  { rule: '5.1', input: { tags: { 'aws:x': 'y' } }, says: 'aws: prefixed tag key names' },
  { rule: 'OBJ-5', input: { nodegroupName: '-x' }, says: 'The nodegroupName "-x" is invalid' },
  { rule: 'OBJ-5', input: { nodegroupName: 'x'.repeat(64) }, says: "can't be longer than 63 characters!" },
  { rule: 'LBL-5', input: { labels: { 'a b': 'c' } }, says: 'Invalid value: a b' },
  { rule: 'LBL-5', input: { labels: { 'a/b/c': 'd' } }, says: 'Invalid value: a/b/c' },
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
    input: { instanceTypes: ['m5.large', 'm5.huge', 'm5.vast'] },
    says: 'The following supplied instance types do not exist: [m5.huge, m5.vast]',
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
    const { create } = await aNodeGroupAccount();
    await expect(create(input)).rejects.toMatchObject({ ...invalid, message: expect.stringContaining(says) });
  });
}

test('V-8: types stand in the template or in the request', async () => {
  const { create } = await aNodeGroupAccount();
  await expect(create({ launchTemplate: { name: 'typed' } })).rejects.toMatchObject({
    name: 'InvalidRequestException',
    message: 'Cannot specify instance types in launch template and API request',
  });
});

test('a role that instances cannot take is no role of nodes', async () => {
  const { aws, create } = await aNodeGroupAccount();
  const trust =
    '{"Statement":{"Effect":"Allow","Principal":{"Service":"eks.amazonaws.com"},"Action":"sts:AssumeRole"}}';
  const { arn } = aws.iam.createRole({ name: 'control-plane', trust, path: '/' });
  await expect(create({ nodeRole: arn })).rejects.toMatchObject({
    ...invalid,
    message: `Following required service principals [ec2.amazonaws.com] were not found in the trust relationships of nodeRole ${arn}`,
  });
});

test('V-1, V-2, V-3: what is not there is not found, and a name is taken once', async () => {
  const { active, create, eks } = await aNodeGroupAccount();
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
  const { create } = await aNodeGroupAccount();
  const first = await create({ clientRequestToken: 'once' });
  const again = await create({ clientRequestToken: 'once' });
  expect(again.nodegroup?.nodegroupArn).toBe(first.nodegroup?.nodegroupArn);
  await expect(create({ clientRequestToken: 'once', labels: { a: 'b' } })).rejects.toMatchObject(invalid);
  await expect(create({ clientRequestToken: 'twice' })).rejects.toMatchObject({ name: 'ResourceInUseException' });
});

test('OBJ-1, OBJ-3, OBJ-4, OBJ-6, OBJ-7, OBJ-11: EKS makes an Auto Scaling group with its tags, hooks and policies', async () => {
  const { active, aws, describe } = await aNodeGroupAccount();
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
  const { active, describe } = await aNodeGroupAccount();
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
