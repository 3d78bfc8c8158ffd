import {
  AutoScalingClient,
  DeleteLifecycleHookCommand,
  DeleteAutoScalingGroupCommand,
} from '@aws-sdk/client-auto-scaling';
import {
  CreateLaunchTemplateCommand,
  DeleteLaunchTemplateCommand,
  DeleteSecurityGroupCommand,
  DeleteSubnetCommand,
  EC2Client,
} from '@aws-sdk/client-ec2';
import { DeleteNodegroupCommand, UpdateNodegroupConfigCommand, waitUntilNodegroupActive } from '@aws-sdk/client-eks';
import { DeleteRoleCommand, IAMClient, RemoveRoleFromInstanceProfileCommand } from '@aws-sdk/client-iam';
import type { ResourceType } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { groupIssueCodes, builtInReleases, historyOf } from '@nodewright/aws-endpoints';
import { inProcess, groupWorld, type GroupWorld, newImage, oldRelease } from '@nodewright/testkit/worlds';

const clusterRoleBindings: ResourceType = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind: 'ClusterRoleBinding',
  plural: 'clusterrolebindings',
  namespaced: false,
};
const names = { clusterName: 'sandbox', nodegroupName: 'default' };

const codesOf = async (world: GroupWorld) => (await world.group()).health?.issues?.map(({ code }) => code);

const resize = (world: GroupWorld, desiredSize: number) =>
  world.eks.send(
    new UpdateNodegroupConfigCommand({ ...names, scalingConfig: { minSize: 0, maxSize: 20, desiredSize } }),
  );

/** What people do to a group behind EKS's back, and what EKS says of it. */
const misdeeds: readonly {
  readonly code: string;
  readonly fact: string;
  readonly do: (world: GroupWorld) => Promise<unknown>;
}[] = [
  {
    code: 'AutoScalingGroupNotFound',
    fact: 'its Auto Scaling group is deleted',
    async do(world) {
      const AutoScalingGroupName = world.scaling()?.name;
      await new AutoScalingClient(inProcess(world.aws.handle)).send(
        new DeleteAutoScalingGroupCommand({ AutoScalingGroupName, ForceDelete: true }),
      );
      await world.after(3);
    },
  },
  {
    code: 'AutoScalingGroupInvalidConfiguration',
    fact: 'the terminate hook of its Auto Scaling group is removed',
    do: ({ aws, scaling }) =>
      new AutoScalingClient(inProcess(aws.handle)).send(
        new DeleteLifecycleHookCommand({
          AutoScalingGroupName: scaling()?.name,
          LifecycleHookName: 'Terminate-LC-Hook',
        }),
      ),
  },
  {
    code: 'Ec2LaunchTemplateNotFound',
    fact: 'the launch template that EKS made is deleted (ERR-2)',
    do: ({ aws, scaling }) =>
      new EC2Client(inProcess(aws.handle)).send(
        new DeleteLaunchTemplateCommand({ LaunchTemplateId: scaling()?.template.id }),
      ),
  },
  {
    code: 'Ec2SubnetNotFound',
    fact: 'a subnet is deleted',
    async do(world) {
      await resize(world, 0);
      await world.after(5);
      const SubnetId = world.scaling()?.subnetIds.at(-1);
      await new EC2Client(inProcess(world.aws.handle)).send(new DeleteSubnetCommand({ SubnetId }));
    },
  },
  {
    code: 'Ec2SecurityGroupNotFound',
    fact: 'its security group is deleted',
    async do(world) {
      await resize(world, 0);
      await world.after(5);
      const GroupId = world.aws.ec2.network.securityGroups.find(({ name }) => name.startsWith('eks-cluster-sg'))?.id;
      await new EC2Client(inProcess(world.aws.handle)).send(new DeleteSecurityGroupCommand({ GroupId }));
    },
  },
  {
    code: 'IamNodeRoleNotFound',
    fact: 'its node role is deleted',
    async do({ aws }) {
      const iam = new IAMClient(inProcess(aws.handle));
      const RoleName = 'karpenterNodeRole-sandbox';
      const InstanceProfileName = aws.iam.profiles().find(({ roleName }) => roleName === RoleName)?.name;
      await iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName, RoleName }));
      await iam.send(new DeleteRoleCommand({ RoleName }));
    },
  },
  {
    code: 'AccessDenied',
    fact: 'the binding of eks:node-manager is deleted (OBJ-8)',
    do: (world) => world.time.finish(world.admin.delete(clusterRoleBindings, { name: 'eks:node-manager' })),
  },
  {
    code: 'ClusterUnreachable',
    fact: 'the API server cannot be reached',
    do: async ({ aws }) => aws.faults.add({ kind: 'cluster-unreachable' }),
  },
  {
    code: 'InstanceLimitExceeded',
    fact: 'a launch goes beyond the vCPU quota',
    async do(world) {
      world.aws.faults.add({ kind: 'vcpu-quota', vcpus: 6 });
      await resize(world, 4);
      await world.after(2);
    },
  },
  {
    code: 'InsufficientFreeAddresses',
    fact: 'subnets have no free address',
    async do(world) {
      world.aws.faults.add({ kind: 'no-addresses' });
      await resize(world, 4);
      await world.after(2);
    },
  },
  {
    code: 'AsgInstanceLaunchFailures',
    fact: 'EC2 has no capacity',
    async do(world) {
      world.aws.faults.add({ kind: 'insufficient-capacity' });
      await resize(world, 4);
      await world.after(2);
    },
  },
  {
    code: 'PodEvictionFailure',
    fact: 'pods do not leave a scale-in in time',
    async do(world) {
      await world.deploy(6, 6);
      await resize(world, 1);
      await world.after(17);
    },
  },
];

describe('health issues', () => {
  for (const { code, fact, do: misdeed } of misdeeds) {
    test(`${code}: a group is degraded when ${fact}`, async () => {
      const world = await groupWorld();
      await world.started();
      expect(await codesOf(world)).toEqual([]);
      await misdeed(world);
      const group = await world.group();
      expect(group).toMatchObject({ status: 'DEGRADED', health: { issues: [{ code }] } });
      expect(group.health?.issues?.[0]?.message).toMatch(/\.$/);
    });
  }

  test('SourceEc2LaunchTemplateNotFound: the template of the customer is gone', async () => {
    const world = await groupWorld();
    const ec2 = new EC2Client(inProcess(world.aws.handle));
    const LaunchTemplateData = { Monitoring: { Enabled: true } };
    await ec2.send(new CreateLaunchTemplateCommand({ LaunchTemplateName: 'mine', LaunchTemplateData }));
    await world.started({ launchTemplate: { name: 'mine' } });
    await ec2.send(new DeleteLaunchTemplateCommand({ LaunchTemplateName: 'mine' }));
    expect(await codesOf(world)).toEqual(['SourceEc2LaunchTemplateNotFound']);
  });

  test('Ec2InstanceTypeDoesNotExist: the template of the customer names no type that there is', async () => {
    const world = await groupWorld();
    // EC2 takes any name in a template.
    const LaunchTemplateData = { InstanceType: 'm99.large' as 'm5.large' };
    await new EC2Client(inProcess(world.aws.handle)).send(
      new CreateLaunchTemplateCommand({ LaunchTemplateName: 'mine', LaunchTemplateData }),
    );
    const scalingConfig = { minSize: 0, maxSize: 1, desiredSize: 0 };
    await world.started({ launchTemplate: { name: 'mine' }, instanceTypes: undefined, scalingConfig });
    expect(await codesOf(world)).toEqual(['Ec2InstanceTypeDoesNotExist']);
  });

  test('AmiIdNotFound: the image of the customer is gone', async () => {
    const world = await groupWorld();
    const LaunchTemplateData = { ImageId: newImage };
    await new EC2Client(inProcess(world.aws.handle)).send(
      new CreateLaunchTemplateCommand({ LaunchTemplateName: 'own', LaunchTemplateData }),
    );
    const scalingConfig = { minSize: 0, maxSize: 1, desiredSize: 0 };
    await world.started({ launchTemplate: { name: 'own' }, releaseVersion: undefined, scalingConfig });
    const release = world.aws.releases.byImage(newImage);
    if (release !== undefined) world.aws.releases.withdraw(release, world.time.clock.now());
    expect(await codesOf(world)).toEqual(['AmiIdNotFound']);
  });

  test('KubernetesLabelInvalid: a label that the API server refuses fails the config update', async () => {
    const world = await groupWorld();
    await world.started();
    const { update } = await world.eks.send(
      new UpdateNodegroupConfigCommand({ ...names, labels: { addOrUpdateLabels: { team: 'not a value' } } }),
    );
    await world.after(1);
    expect(await world.outcome(update?.id ?? '')).toMatchObject({
      status: 'Failed',
      errors: [{ errorCode: 'Unknown' }],
    });
    expect(await codesOf(world)).toEqual(['KubernetesLabelInvalid']);
  });

  test('NodeCreationFailure: an instance of a quiet group that is no node after 15 minutes, until it is gone', async () => {
    const known = builtInReleases().of('1.23');
    const releases = historyOf(
      known.map((release) => (release.imageId === newImage ? { ...release, behavior: 'neverJoins' } : release)),
    );
    const world = await groupWorld({ releases });
    await world.started();
    const scaling = world.scaling();
    world.aws.eks.nodeGroups.addTemplateVersion('default', {
      ...world.aws.eks.nodeGroups.group('default'),
      imageId: newImage,
    });
    world.aws.eks.nodeGroups.pointAt('default', '2');
    await resize(world, 4);
    await world.after(14);
    expect(await codesOf(world)).toEqual([]);
    await world.after(3);
    const added = world.scaling()?.instances.find(({ id }) => !scaling?.instances.some((each) => each.id === id))?.id;
    expect((await world.group()).health?.issues).toMatchObject([{ code: 'NodeCreationFailure', resourceIds: [added] }]);
    world.aws.autoScaling.terminate(added ?? '', true);
    await world.after(3);
    expect(await codesOf(world)).toEqual([]);
  });

  for (const code of groupIssueCodes) {
    test(`${code} can be injected, for one group, until it is cleared`, async () => {
      const world = await shared;
      world.aws.faults.add({ kind: 'node-group-issue', code, nodegroup: 'default' });
      world.aws.faults.add({ kind: 'node-group-issue', code, nodegroup: 'another' });
      expect((await world.group()).status).toBe('DEGRADED');
      expect(await codesOf(world)).toEqual([code]);
      world.aws.faults.clear();
      expect((await world.group()).status).toBe('ACTIVE');
    });
  }

  const harmless = [
    'AsgInstanceLaunchFailures',
    'InstanceLimitExceeded',
    'InsufficientFreeAddresses',
    'ClusterUnreachable',
  ];
  for (const code of groupIssueCodes.filter((each) => !harmless.includes(each))) {
    test(`UPD-14, V-21: ${code} blocks a version update`, async () => {
      const world = await shared;
      world.aws.faults.add({ kind: 'node-group-issue', code });
      const name = 'InvalidRequestException';
      await expect(world.update()).rejects.toMatchObject({ name, message: expect.stringContaining(code) });
      world.aws.faults.clear();
    });
  }

  test('UPD-14: with an issue of the harmless kind a version update begins', async () => {
    const world = await groupWorld();
    await world.started({ releaseVersion: oldRelease });
    for (const code of [
      'AsgInstanceLaunchFailures',
      'InstanceLimitExceeded',
      'InsufficientFreeAddresses',
      'ClusterUnreachable',
    ] as const)
      world.aws.faults.add({ kind: 'node-group-issue', code });
    expect(await world.update()).not.toBe('');
  });
});

/** One group for all that only ask. */
const shared = groupWorld().then(async (world) => {
  await world.started();
  return world;
});

test('WAIT-3, WAIT-6: a waiter ends at its first look at an active group, and never at a degraded one', async () => {
  const world = await groupWorld();
  await world.started();
  const limits = { client: world.eks, minDelay: 0.01, maxDelay: 0.01, maxWaitTime: 0.05 };
  const looks = () => world.aws.calls().filter(({ operation }) => operation === 'DescribeNodegroup').length;
  const before = looks();
  expect(await waitUntilNodegroupActive({ ...limits, maxWaitTime: 60 }, names)).toMatchObject({ state: 'SUCCESS' });
  expect(looks()).toBe(before + 1);
  world.aws.faults.add({ kind: 'node-group-issue', nodegroup: 'default', code: 'AccessDenied' });
  await expect(waitUntilNodegroupActive(limits, names)).rejects.toMatchObject({ name: 'TimeoutError' });
  expect(looks()).toBeGreaterThan(before + 1);
});

test('UPD-13: a group is degraded by a failed scale-out until a later one works', async () => {
  const world = await groupWorld();
  await world.started();
  world.aws.faults.add({ kind: 'insufficient-capacity' });
  await resize(world, 4);
  await world.after(2);
  await resize(world, 3);
  world.aws.faults.clear();
  await world.after(10);
  expect((await world.group()).status).toBe('DEGRADED');
  await resize(world, 4);
  await world.after(5);
  expect((await world.group()).status).toBe('ACTIVE');
});

test('a template or security group that EKS cannot delete keeps the group, until it is deleted again', async () => {
  const world = await groupWorld();
  await world.started();
  world.aws.faults.add({ kind: 'node-group-issue', code: 'Ec2SecurityGroupDeletionFailure' });
  await world.eks.send(new DeleteNodegroupCommand(names));
  await world.after(10);
  expect(await world.group()).toMatchObject({
    status: 'DELETE_FAILED',
    health: { issues: [{ code: 'Ec2SecurityGroupDeletionFailure' }] },
  });
  world.aws.faults.clear();
  await world.eks.send(new DeleteNodegroupCommand(names));
  await world.after(1);
  await expect(world.group()).rejects.toMatchObject({ name: 'ResourceNotFoundException' });
});

test('scenario 28, OBJ-8: an update during which EKS loses its rights fails, and leaves the group launching the old image', async () => {
  const world = await groupWorld();
  await world.started();
  const id = await world.update();
  await world.after(0.4);
  await world.time.finish(world.admin.delete(clusterRoleBindings, { name: 'eks:node-manager' }));
  await world.after(240);
  expect(await world.outcome(id)).toMatchObject({ status: 'Failed', errors: [{ errorCode: 'AccessDenied' }] });
  expect(await codesOf(world)).toEqual(['AccessDenied']);
  expect(world.scaling()).toMatchObject({ desired: 3, max: 6, template: { version: '1' } });
});

for (const { fact, minutes, status } of [
  { fact: 'for ten minutes is held up', minutes: 10, status: 'Successful' },
  { fact: 'for longer than 15 minutes fails', minutes: 20, status: 'Failed' },
]) {
  test(`ClusterUnreachable: an update that cannot reach the cluster ${fact}`, async () => {
    const world = await groupWorld();
    await world.started();
    const id = await world.update();
    await world.after(5);
    world.aws.faults.add({ kind: 'cluster-unreachable' });
    await world.after(minutes);
    world.aws.faults.clear();
    await world.after(90);
    const outcome = await world.outcome(id);
    expect(outcome?.status).toBe(status);
    expect(outcome?.errors?.map(({ errorCode }) => errorCode)).toEqual(
      status === 'Failed' ? ['ClusterUnreachable'] : [],
    );
  });
}
