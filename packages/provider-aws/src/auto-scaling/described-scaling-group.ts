import {
  type AutoScalingGroup,
  DescribeAutoScalingGroupsCommand,
  DescribeInstanceRefreshesCommand,
  DescribeLifecycleHooksCommand,
  DescribeScalingActivitiesCommand,
  DescribeWarmPoolCommand,
  type InstanceRefresh,
  type Instance as Member,
} from '@aws-sdk/client-auto-scaling';
import { DescribeInstancesCommand, DescribeSubnetsCommand, type Instance } from '@aws-sdk/client-ec2';
import { awsTags, byTextOf, instant, minutes } from '@nodewright/apis';
import type { ScalingGroup, ScalingInstance } from '@nodewright/ports';
import { classifyError } from '../calls/error-codes.ts';
import { isUnknownOperation } from '../calls/unknown-operations.ts';
import type { AwsContext } from '../context.ts';
import type { GroupMemory, RememberedInstance } from './group-memory.ts';
import { readAllPages } from '../calls/pages.ts';
import { tagsFromList } from '../tags.ts';
import { boughtBy, findTemplateReference, typesWithOwnTemplate } from './template-reference.ts';
import { describedTemplate } from './templates.ts';

export async function findGroup(
  { call, clients }: AwsContext,
  name: string,
  signal: AbortSignal,
): Promise<AutoScalingGroup | undefined> {
  const request = { AutoScalingGroupNames: [name] };
  const { AutoScalingGroups: [group] = [] } = await call(
    (options) => clients.autoScaling.send(new DescribeAutoScalingGroupsCommand(request), options),
    signal,
  );
  return group;
}

/** The whole picture of a group: its template, instances and subnets are asked for as well. */
export async function describedScalingGroup(
  context: Remembering,
  group: AutoScalingGroup,
  signal: AbortSignal,
): Promise<ScalingGroup> {
  const reference = findTemplateReference(group);
  const template = reference === undefined ? undefined : await describedTemplate(context, reference, signal);
  const failure = await launchFailureOf(context, group, signal);
  return {
    name: group.AutoScalingGroupName ?? '',
    min: group.MinSize ?? 0,
    max: group.MaxSize ?? 0,
    desired: group.DesiredCapacity ?? 0,
    zones: (group.AvailabilityZones ?? []).toSorted(),
    subnets: await subnetsOf(context, group, signal),
    ...(template === undefined ? {} : { template }),
    bought: boughtBy(group, template?.market),
    instanceTypes: overriddenTypes(group),
    typesWithOwnTemplate: typesWithOwnTemplate(group),
    suspended: (group.SuspendedProcesses ?? []).map(({ ProcessName = '' }) => ProcessName).toSorted(),
    ...(await describeGroupMembers(context, group, signal)),
    isRefreshing: await isRefreshing(context, group, signal),
    hooks: await describeLaunchHooks(context, group, signal),
    ...(failure === undefined ? {} : { launchFailure: failure }),
    tags: tagsFromList(group.Tags),
    isOfCluster: (group.Tags ?? []).some(({ Key }) => Key === awsTags.cluster(context.clusterName)),
  };
}

const overriddenTypes = ({ MixedInstancesPolicy }: AutoScalingGroup): readonly string[] =>
  (MixedInstancesPolicy?.LaunchTemplate?.Overrides ?? []).flatMap(({ InstanceType }) => InstanceType ?? []).toSorted();

const mostInstancesInAFilter = 200;

type Remembering = AwsContext & { readonly memory: GroupMemory };
type GroupMembers = Pick<ScalingGroup, 'instances' | 'warm'>;

/** In service or on the way, and beside the group; some endpoints list all of them in one place. */
async function describeGroupMembers(
  context: Remembering,
  group: AutoScalingGroup,
  signal: AbortSignal,
): Promise<GroupMembers> {
  const listed = [...(group.Instances ?? []), ...(await warmOf(context, group, signal))];
  const members = await describeScalingGroups(
    context,
    [...new Map(listed.map((each) => [each.InstanceId, each])).values()],
    signal,
  );
  const isWarm = ({ lifecycle }: ScalingInstance): boolean => lifecycle.startsWith('Warmed:');
  return { instances: members.filter((each) => !isWarm(each)), warm: members.filter(isWarm) };
}

async function warmOf(
  { call, clients }: AwsContext,
  { AutoScalingGroupName, WarmPoolConfiguration, WarmPoolSize = 0 }: AutoScalingGroup,
  signal: AbortSignal,
): Promise<readonly Member[]> {
  if (WarmPoolConfiguration === undefined && WarmPoolSize === 0) return [];
  const pages = await whereKnown([], () =>
    readAllPages((NextToken) =>
      call(
        (options) =>
          clients.autoScaling.send(new DescribeWarmPoolCommand({ AutoScalingGroupName, NextToken }), options),
        signal,
      ),
    ),
  );
  return pages.flatMap(({ Instances = [] }) => Instances);
}

async function describeScalingGroups(
  context: Remembering,
  members: readonly Member[],
  signal: AbortSignal,
): Promise<readonly ScalingInstance[]> {
  const { machines } = context.memory;
  const ids = members.map(({ InstanceId = '' }) => InstanceId).filter((id) => machines.get(id) === undefined);
  for (const { InstanceId = '', ...instance } of await describeGroupInstances(context, ids, signal)) {
    const machine = machineFrom(instance);
    if (machine !== undefined) machines.set(InstanceId, machine);
  }
  return members
    .map(({ InstanceId: id = '', AvailabilityZone: zone = '', LifecycleState: lifecycle = '', ImageId = '' }) => {
      const machine = machines.get(id) ?? { imageId: ImageId, launchedAt: instant(0) };
      return { id, zone, lifecycle, ...machine };
    })
    .toSorted(byTextOf(({ id }) => id));
}

function machineFrom({ ImageId: imageId, LaunchTime, PrivateDnsName = '' }: Instance): RememberedInstance | undefined {
  if (imageId === undefined) return undefined;
  const name = PrivateDnsName === '' ? {} : { privateDnsName: PrivateDnsName };
  return { imageId, launchedAt: instant(LaunchTime?.getTime() ?? 0), ...name };
}

async function describeGroupInstances(
  { call, clients }: AwsContext,
  unsorted: readonly string[],
  signal: AbortSignal,
): Promise<readonly Instance[]> {
  const ids = unsorted.toSorted();
  const found: Instance[] = [];
  for (let from = 0; from < ids.length; from += mostInstancesInAFilter) {
    const Filters = [{ Name: 'instance-id', Values: ids.slice(from, from + mostInstancesInAFilter) }];
    const pages = await readAllPages((NextToken) =>
      call((options) => clients.ec2.send(new DescribeInstancesCommand({ Filters, NextToken }), options), signal),
    );
    found.push(...pages.flatMap(({ Reservations = [] }) => Reservations).flatMap(({ Instances: each = [] }) => each));
  }
  return found;
}

async function subnetsOf(
  { call, clients }: AwsContext,
  { VPCZoneIdentifier = '' }: AutoScalingGroup,
  signal: AbortSignal,
): Promise<ScalingGroup['subnets']> {
  const ids = VPCZoneIdentifier.split(',').filter((id) => id !== '');
  if (ids.length === 0) return [];
  const request = { Filters: [{ Name: 'subnet-id', Values: ids }] };
  const { Subnets = [] } = await call(
    (options) => clients.ec2.send(new DescribeSubnetsCommand(request), options),
    signal,
  );
  return Subnets.map(({ SubnetId: id = '', AvailabilityZone: zone = '', AvailableIpAddressCount = 0 }) => ({
    id,
    zone,
    freeAddresses: AvailableIpAddressCount,
  })).toSorted(byTextOf(({ id }) => id));
}

const endedRefreshStates = new Set(['Successful', 'Failed', 'Cancelled', 'RollbackFailed', 'RollbackSuccessful']);

export const isRefreshUnderWay = ({ Status }: InstanceRefresh): boolean =>
  Status !== undefined && !endedRefreshStates.has(Status);

const isRefreshing = (
  { call, clients }: AwsContext,
  { AutoScalingGroupName }: AutoScalingGroup,
  signal: AbortSignal,
): Promise<ScalingGroup['isRefreshing']> =>
  whereKnown<ScalingGroup['isRefreshing']>('unknown', async () => {
    const { InstanceRefreshes = [] } = await call(
      (options) => clients.autoScaling.send(new DescribeInstanceRefreshesCommand({ AutoScalingGroupName }), options),
      signal,
    );
    return InstanceRefreshes.some(isRefreshUnderWay);
  });

const describeLaunchHooks = (
  { call, clients }: AwsContext,
  { AutoScalingGroupName }: AutoScalingGroup,
  signal: AbortSignal,
): Promise<ScalingGroup['hooks']> =>
  whereKnown([], async () => {
    const { LifecycleHooks = [] } = await call(
      (options) => clients.autoScaling.send(new DescribeLifecycleHooksCommand({ AutoScalingGroupName }), options),
      signal,
    );
    return LifecycleHooks.map(
      ({ LifecycleHookName: name = '', LifecycleTransition = '', HeartbeatTimeout = 3600 }) => ({
        name,
        transition: LifecycleTransition.endsWith('_TERMINATING') ? ('terminating' as const) : ('launching' as const),
        heartbeatSeconds: HeartbeatTimeout,
      }),
    ).toSorted(byTextOf(({ name }) => name));
  });

/** Fewer instances than there should be, or none in a zone. */
const lacksInstances = ({ Instances = [], DesiredCapacity = 0, AvailabilityZones = [] }: AutoScalingGroup): boolean =>
  Instances.length < DesiredCapacity ||
  (DesiredCapacity >= AvailabilityZones.length &&
    AvailabilityZones.some((zone) => Instances.every(({ AvailabilityZone }) => AvailabilityZone !== zone)));

const recentActivityMs = minutes(20);

/** Reads the newest activities; without the permission there is no failure to report. */
async function launchFailureOf(
  { call, clients, clock }: AwsContext,
  group: AutoScalingGroup,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (!lacksInstances(group)) return undefined;
  const { AutoScalingGroupName } = group;
  try {
    const request = { AutoScalingGroupName, MaxRecords: 10 };
    const { Activities = [] } = await call(
      (options) => clients.autoScaling.send(new DescribeScalingActivitiesCommand(request), options),
      signal,
    );
    const isRecent = (at: Date | undefined): boolean =>
      at !== undefined && at.getTime() > clock.now() - recentActivityMs;
    return Activities.find(({ StatusCode, StartTime }) => StatusCode === 'Failed' && isRecent(StartTime))
      ?.StatusMessage;
  } catch (error) {
    if (isUnknownOperation(error) || classifyError(error) === 'unauthorized') return undefined;
    throw error;
  }
}

async function whereKnown<T>(otherwise: T, lookup: () => Promise<T>): Promise<T> {
  try {
    return await lookup();
  } catch (error) {
    if (isUnknownOperation(error)) return otherwise;
    throw error;
  }
}
