import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeInstanceRefreshesCommand,
  DescribeLifecycleHooksCommand,
  DescribeWarmPoolCommand,
  type Instance as Member,
  type LaunchTemplateSpecification,
} from '@aws-sdk/client-auto-scaling';
import { awsTags, byTextOf, instant } from '@nodewright/apis';
import { readAllPages } from '../calls/pages.ts';
import { isRefreshUnderWay } from '../auto-scaling/described-scaling-group.ts';
import { tagsFromList } from '../tags.ts';
import type { AccountReader } from './account-reader.ts';
import type { ReadGroupInstance, ReadHook, ReadScalingGroup } from './group-reading.ts';

/** The Auto Scaling groups with the tag of the cluster that launch from a launch template, by name. */
export async function readScalingGroups(reader: AccountReader): Promise<readonly ReadScalingGroup[]> {
  const { call, clients, clusterName, signal } = reader;
  const Filters = [{ Name: 'tag-key', Values: [awsTags.cluster(clusterName)] }];
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeAutoScalingGroupsCommand({ Filters, NextToken });
    return call((options) => clients.autoScaling.send(asked, options), signal);
  });
  const read: ReadScalingGroup[] = [];
  for (const group of pages.flatMap(({ AutoScalingGroups = [] }) => AutoScalingGroups)) {
    const template = toTemplateReference(
      group.LaunchTemplate ?? group.MixedInstancesPolicy?.LaunchTemplate?.LaunchTemplateSpecification,
    );
    if (template.id === '') continue;
    read.push({
      ...toReadScalingGroup(group, template),
      hooks: await readHooks(reader, group),
      ...(await readWarmPool(reader, group)),
      isRefreshing: await readRefreshing(reader, group),
    });
  }
  return read.toSorted(byTextOf(({ name }) => name));
}

type ReadTemplateReference = ReadScalingGroup['template'];

const toTemplateReference = (given: LaunchTemplateSpecification | undefined): ReadTemplateReference => ({
  id: given?.LaunchTemplateId ?? '',
  name: given?.LaunchTemplateName ?? '',
  version: given?.Version ?? '$Default',
});

function toReadScalingGroup(
  group: AutoScalingGroup,
  template: ReadTemplateReference,
): Omit<ReadScalingGroup, 'hooks' | 'warm' | 'isRefreshing'> {
  const { Tags = [], ServiceLinkedRoleARN: serviceRole, Instances = [] } = group;
  return {
    name: group.AutoScalingGroupName ?? '',
    arn: group.AutoScalingGroupARN ?? '',
    createdAt: instant(group.CreatedTime?.getTime() ?? 0),
    min: group.MinSize ?? 0,
    max: group.MaxSize ?? 0,
    desired: group.DesiredCapacity ?? 0,
    template,
    ...toReadPolicy(group),
    capacityRebalance: group.CapacityRebalance ?? false,
    subnetIds: (group.VPCZoneIdentifier ?? '').split(',').filter((id) => id !== ''),
    zones: group.AvailabilityZones ?? [],
    tags: tagsFromList(Tags),
    tagsAtLaunch: Tags.flatMap(({ Key, PropagateAtLaunch }) =>
      Key === undefined || PropagateAtLaunch !== true ? [] : [Key],
    ),
    suspended: (group.SuspendedProcesses ?? []).flatMap(({ ProcessName }) => ProcessName ?? []),
    instances: Instances.map(toReadGroupInstance),
    terminationPolicies: group.TerminationPolicies ?? [],
    healthCheckGraceSeconds: group.HealthCheckGracePeriod ?? 0,
    cooldownSeconds: group.DefaultCooldown ?? 300,
    protectNew: group.NewInstancesProtectedFromScaleIn ?? false,
    ...(serviceRole === undefined ? {} : { serviceRole }),
    isDeleting: group.Status !== undefined,
  };
}

function toReadPolicy({
  MixedInstancesPolicy: policy,
}: AutoScalingGroup): Pick<ReadScalingGroup, 'instanceTypes' | 'mixed' | 'capacityType' | 'allocation'> {
  const { OnDemandPercentageAboveBaseCapacity: onDemand = 100, SpotAllocationStrategy: allocation } =
    policy?.InstancesDistribution ?? {};
  return {
    instanceTypes: (policy?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []),
    mixed: policy !== undefined,
    capacityType: onDemand === 0 ? 'spot' : 'on-demand',
    ...(allocation === undefined ? {} : { allocation }),
  };
}

const toReadGroupInstance = (member: Member): ReadGroupInstance => ({
  id: member.InstanceId ?? '',
  instanceType: member.InstanceType ?? '',
  zone: member.AvailabilityZone ?? '',
  lifecycle: member.LifecycleState ?? 'InService',
  healthy: member.HealthStatus !== 'Unhealthy',
  protected: member.ProtectedFromScaleIn ?? false,
  template: toTemplateReference(member.LaunchTemplate),
});

const hooksOfEks = new Set(['Launch-LC-Hook', 'Terminate-LC-Hook']);

async function readHooks(
  { call, clients, signal }: AccountReader,
  { AutoScalingGroupName }: AutoScalingGroup,
): Promise<readonly ReadHook[]> {
  const asked = new DescribeLifecycleHooksCommand({ AutoScalingGroupName });
  const { LifecycleHooks = [] } = await call((options) => clients.autoScaling.send(asked, options), signal);
  return LifecycleHooks.map((hook) => ({
    name: hook.LifecycleHookName ?? '',
    transition: hook.LifecycleTransition ?? '',
    heartbeatSeconds: hook.HeartbeatTimeout ?? 3600,
    defaultResult: hook.DefaultResult ?? 'ABANDON',
  })).filter(({ name }) => !hooksOfEks.has(name));
}

async function readWarmPool(
  { call, clients, signal }: AccountReader,
  { AutoScalingGroupName, WarmPoolConfiguration: pool, WarmPoolSize = 0 }: AutoScalingGroup,
): Promise<Pick<ReadScalingGroup, 'warm' | 'warmPool'>> {
  if (pool === undefined && WarmPoolSize === 0) return { warm: [] };
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeWarmPoolCommand({ AutoScalingGroupName, NextToken });
    return call((options) => clients.autoScaling.send(asked, options), signal);
  });
  const prepared = pool?.MaxGroupPreparedCapacity;
  return {
    warm: pages.flatMap(({ Instances = [] }) => Instances.map(toReadGroupInstance)),
    warmPool: {
      min: pool?.MinSize ?? 0,
      ...(prepared === undefined || prepared < 0 ? {} : { prepared }),
      state: pool?.PoolState ?? 'Stopped',
      reuse: pool?.InstanceReusePolicy?.ReuseOnScaleIn ?? false,
    },
  };
}

async function readRefreshing(
  { call, clients, signal }: AccountReader,
  { AutoScalingGroupName }: AutoScalingGroup,
): Promise<boolean> {
  const asked = new DescribeInstanceRefreshesCommand({ AutoScalingGroupName });
  const { InstanceRefreshes = [] } = await call((options) => clients.autoScaling.send(asked, options), signal);
  return InstanceRefreshes.some(isRefreshUnderWay);
}
