import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  type Filter,
  type Instance as DescribedInstance,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, ListNodegroupsCommand } from '@aws-sdk/client-eks';
import { GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { byText, byTextOf, instant } from '@nodewright/apis';
import type { CallGate, Clock, Random } from '@nodewright/runtime';
import { limitOn } from '../quotas/limits-on-instances.ts';
import { callAws } from '../calls/call-aws.ts';
import type { AwsClients } from '../calls/clients.ts';
import { awsCodeOf } from '../calls/error-codes.ts';
import { readAllPages } from '../calls/pages.ts';
import { toInstance } from '../instances/instance.ts';
import { tagsFromList } from '../tags.ts';
import type { AccountReader } from './account-reader.ts';
import type { ReadScalingGroup } from './group-reading.ts';
import {
  listTemplateIds,
  listTemplateProfiles,
  mergeTemplates,
  readGroupTemplates,
  readLaunchTemplates,
} from './read-launch-templates.ts';
import { readManagedGroups } from './read-managed-groups.ts';
import { readScalingGroups } from './read-scaling-groups.ts';
import type {
  AccountReading,
  ReadCluster,
  ReadInstance,
  ReadProfile,
  ReadQuota,
  ReadSecurityGroup,
  ReadSubnet,
  UnreadPart,
} from './account-reading.ts';

export type AccountQuestion = {
  readonly clock: Clock;
  readonly gate: CallGate;
  readonly random: Random;
  readonly clients: AwsClients;
  readonly region: string;
  readonly clusterName: string;
  /** Instances whose user data is asked for: their nodes have not told what they are yet. */
  readonly unregistered: readonly string[];
  /** Instance profiles of the NodeClasses. */
  readonly profiles: readonly string[];
};

/** Reads what a forecast needs of an account, with calls that only describe. What may not be read is told by name. */
export async function readAccount(question: AccountQuestion, signal: AbortSignal): Promise<AccountReading> {
  const unread: UnreadPart[] = [];
  const reader: AccountReader = {
    ...question,
    signal,
    call: callAws(question),
    orUnread: rememberUnread(unread, signal),
  };
  const { orUnread } = reader;
  const cluster = await orUnread('eks:DescribeCluster', undefined, () => readCluster(reader));
  const nodeGroups = await orUnread('eks:ListNodegroups', [], () => readNodeGroupNames(reader));
  const managedGroups = await orUnread('eks:DescribeNodegroup', [], () => readManagedGroups(reader, nodeGroups));
  const scalingGroups = await orUnread('autoscaling:DescribeAutoScalingGroups', [], () => readScalingGroups(reader));
  const instances = await orUnread('ec2:DescribeInstances', [], () => readInstances(reader));
  const others = await orUnread('ec2:DescribeInstances of node groups', [], () =>
    readOtherInstances(reader, scalingGroups, instances),
  );
  const templates = await orUnread('ec2:DescribeLaunchTemplates', [], () => readLaunchTemplates(reader));
  const groupTemplates = await orUnread('ec2:DescribeLaunchTemplateVersions', [], () =>
    readGroupTemplates(reader, listTemplateIds(managedGroups, scalingGroups)),
  );
  const profiles = [...question.profiles, ...listTemplateProfiles(groupTemplates)];
  const wanted = new Set(question.unregistered);
  return {
    region: question.region,
    ...(cluster === undefined ? {} : { cluster }),
    instances: await withUserData(reader, [...instances, ...others].toSorted(byLaunch), wanted),
    subnets: await orUnread('ec2:DescribeSubnets', [], () => readSubnets(reader)),
    securityGroups: await orUnread('ec2:DescribeSecurityGroups', [], () => readSecurityGroups(reader)),
    launchTemplates: mergeTemplates(templates, groupTemplates),
    profiles: await orUnread('iam:GetInstanceProfile', [], () => readProfiles(reader, profiles)),
    quotas: await orUnread('servicequotas:GetServiceQuota', [], () => readQuotas(reader, instances)),
    nodeGroups,
    managedGroups,
    scalingGroups,
    unread,
  };
}

const rememberUnread =
  (unread: UnreadPart[], signal: AbortSignal): AccountReader['orUnread'] =>
  async (what, otherwise, work) => {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      unread.push({ what, because: `${awsCodeOf(error)}: ${error instanceof Error ? error.message : String(error)}` });
      return otherwise;
    }
  };

async function readCluster({ call, clients, clusterName, signal }: AccountReader): Promise<ReadCluster | undefined> {
  const asked = new DescribeClusterCommand({ name: clusterName });
  const { cluster } = await call((options) => clients.eks.send(asked, options), signal);
  if (cluster?.version === undefined) return undefined;
  const { createdAt, roleArn, kubernetesNetworkConfig, resourcesVpcConfig } = cluster;
  const serviceCidr = kubernetesNetworkConfig?.serviceIpv4Cidr;
  return {
    version: cluster.version,
    ...(createdAt === undefined ? {} : { createdAt: instant(createdAt.getTime()) }),
    ...(roleArn === undefined ? {} : { roleArn }),
    ...(serviceCidr === undefined ? {} : { serviceCidr }),
    subnetIds: resourcesVpcConfig?.subnetIds ?? [],
    securityGroupIds: resourcesVpcConfig?.securityGroupIds ?? [],
  };
}

const readInstances = ({ clusterName, ...reader }: AccountReader): Promise<readonly ReadInstance[]> =>
  describeInstancesWhere({ clusterName, ...reader }, [
    { Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] },
  ]);

/** Instances of groups that do not pass the tag of the cluster on. */
async function readOtherInstances(
  reader: AccountReader,
  groups: readonly ReadScalingGroup[],
  known: readonly ReadInstance[],
): Promise<readonly ReadInstance[]> {
  const read = new Set(known.map(({ id }) => id));
  const ids = groups.flatMap(({ instances, warm }) => [...instances, ...warm].map(({ id }) => id));
  const missing = ids.filter((id) => !read.has(id)).toSorted(byText);
  const found: ReadInstance[] = [];
  for (let from = 0; from < missing.length; from += mostIdsInAFilter)
    found.push(
      ...(await describeInstancesWhere(reader, [
        { Name: 'instance-id', Values: missing.slice(from, from + mostIdsInAFilter) },
      ])),
    );
  return found;
}

const mostIdsInAFilter = 200;

async function describeInstancesWhere(
  { call, clients, signal }: AccountReader,
  Filters: Filter[],
): Promise<readonly ReadInstance[]> {
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeInstancesCommand({ Filters, MaxResults: 1000, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal, { tokens: { DescribeInstances: 1 } });
  });
  return pages
    .flatMap(({ Reservations = [] }) => Reservations)
    .flatMap(({ Instances = [] }) => Instances)
    .map(toReadInstance)
    .toSorted(byLaunch);
}

const byLaunch = (a: ReadInstance, b: ReadInstance): number => a.launchedAt - b.launchedAt;

function toReadInstance(described: DescribedInstance): ReadInstance {
  const { providerId: _, reservationId: _held, partition: _part, ...instance } = toInstance(described);
  const { PrivateIpAddress: privateIp, NetworkInterfaces = [], CapacityReservationId: reserved } = described;
  const networkInterfaceId = NetworkInterfaces[0]?.NetworkInterfaceId;
  const { SpotInstanceRequestId: spotRequestId, ClientToken: clientToken, AmiLaunchIndex: launchIndex = 0 } = described;
  const root = described.BlockDeviceMappings?.find(({ DeviceName }) => DeviceName === described.RootDeviceName);
  const zoneId = described.Placement?.AvailabilityZoneId;
  return {
    ...instance,
    ...(zoneId === undefined ? {} : { zoneId }),
    ...(privateIp === undefined ? {} : { privateIp }),
    ...(networkInterfaceId === undefined ? {} : { networkInterfaceId }),
    ...(reserved === undefined ? {} : { capacityReservationId: reserved }),
    ...profileOf(described),
    ...(spotRequestId === undefined ? {} : { spotRequestId }),
    ...(clientToken === undefined || clientToken === '' ? {} : { clientToken }),
    ...(launchIndex === 0 ? {} : { launchIndex }),
    ...(root?.DeviceName === undefined
      ? {}
      : { rootVolume: { deviceName: root.DeviceName, volumeId: root.Ebs?.VolumeId ?? '' } }),
  };
}

function profileOf({ IamInstanceProfile }: DescribedInstance): Pick<ReadInstance, 'instanceProfile'> {
  const name = IamInstanceProfile?.Arn?.split('/').at(-1);
  return name === undefined ? {} : { instanceProfile: name };
}

async function withUserData(
  { call, clients, signal, orUnread }: AccountReader,
  instances: readonly ReadInstance[],
  wanted: ReadonlySet<string>,
): Promise<readonly ReadInstance[]> {
  const found = new Map<string, string>();
  await orUnread('ec2:DescribeInstanceAttribute', undefined, async () => {
    for (const { id, state } of instances) {
      if (!wanted.has(id) || state === 'terminated') continue;
      const asked = new DescribeInstanceAttributeCommand({ InstanceId: id, Attribute: 'userData' });
      const { UserData } = await call((options) => clients.ec2.send(asked, options), signal);
      if (UserData?.Value !== undefined) found.set(id, UserData.Value);
    }
  });
  return instances.map((instance) => {
    const userData = found.get(instance.id);
    return userData === undefined ? instance : { ...instance, userData };
  });
}

async function readSubnets({ call, clients, signal }: AccountReader): Promise<readonly ReadSubnet[]> {
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeSubnetsCommand({ MaxResults: 500, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal);
  });
  return pages.flatMap(({ Subnets = [] }) => Subnets.flatMap(toReadSubnet)).toSorted(byTextOf(({ id }) => id));
}

function toReadSubnet(subnet: Subnet): readonly ReadSubnet[] {
  const { SubnetId: id, AvailabilityZone: zone, CidrBlock: cidr } = subnet;
  if (id === undefined || zone === undefined || cidr === undefined) return [];
  return [
    {
      id,
      vpcId: subnet.VpcId ?? '',
      zone,
      zoneId: subnet.AvailabilityZoneId ?? '',
      cidr,
      freeAddresses: subnet.AvailableIpAddressCount ?? 0,
      isPublic: subnet.MapPublicIpOnLaunch ?? false,
      tags: tagsFromList(subnet.Tags),
    },
  ];
}

async function readSecurityGroups({ call, clients, signal }: AccountReader): Promise<readonly ReadSecurityGroup[]> {
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeSecurityGroupsCommand({ MaxResults: 500, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal);
  });
  return pages
    .flatMap(({ SecurityGroups: groups = [] }) => groups)
    .flatMap(({ GroupId: id, GroupName: name = '', Description: description = '', Tags }) =>
      id === undefined ? [] : [{ id, name, description, tags: tagsFromList(Tags) }],
    )
    .toSorted(byTextOf(({ id }) => id));
}

async function readProfiles(
  { call, clients, signal }: AccountReader,
  names: readonly string[],
): Promise<readonly ReadProfile[]> {
  const read: ReadProfile[] = [];
  for (const name of [...new Set(names)].toSorted(byText)) {
    const asked = new GetInstanceProfileCommand({ InstanceProfileName: name });
    const { InstanceProfile: found } = await call((options) => clients.iam.send(asked, options), signal);
    const roleName = found?.Roles?.[0]?.RoleName;
    read.push({ name, path: found?.Path ?? '/', ...(roleName === undefined ? {} : { roleName }) });
  }
  return read;
}

/** The limits that the running types count against, in both markets. */
async function readQuotas(
  { call, clients, signal }: AccountReader,
  instances: readonly ReadInstance[],
): Promise<readonly ReadQuota[]> {
  const markets = ['onDemand', 'spot'] as const;
  const types = new Set(['m5.large', ...instances.map(({ instanceType }) => instanceType)]);
  const limits = new Map(
    [...types].flatMap((type) =>
      markets.flatMap((market) => {
        const limit = limitOn(type, market);
        return limit === undefined ? [] : [[limit.code, { ...limit, market }] as const];
      }),
    ),
  );
  const read: ReadQuota[] = [];
  for (const limit of [...limits.values()].toSorted(byTextOf(({ code }) => code))) {
    const asked = new GetServiceQuotaCommand({ ServiceCode: 'ec2', QuotaCode: limit.code });
    const { Quota } = await call((options) => clients.serviceQuotas.send(asked, options), signal);
    if (Quota?.Value !== undefined) read.push({ ...limit, limit: Quota.Value });
  }
  return read;
}

async function readNodeGroupNames({ call, clients, clusterName, signal }: AccountReader): Promise<readonly string[]> {
  const pages = await readAllPages(async (nextToken) => {
    const asked = new ListNodegroupsCommand({ clusterName, nextToken });
    const answer = await call((options) => clients.eks.send(asked, options), signal);
    return { names: answer.nodegroups ?? [], NextToken: answer.nextToken };
  });
  return pages.flatMap(({ names }) => names).toSorted(byText);
}
