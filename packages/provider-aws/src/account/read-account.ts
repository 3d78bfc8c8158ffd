import { createHash } from 'node:crypto';
import {
  DescribeInstanceAttributeCommand,
  DescribeInstancesCommand,
  DescribeLaunchTemplatesCommand,
  DescribeLaunchTemplateVersionsCommand,
  DescribeSecurityGroupsCommand,
  DescribeSubnetsCommand,
  type Instance as DescribedInstance,
  type LaunchTemplate,
  type Subnet,
} from '@aws-sdk/client-ec2';
import { DescribeClusterCommand, ListNodegroupsCommand } from '@aws-sdk/client-eks';
import { GetInstanceProfileCommand } from '@aws-sdk/client-iam';
import { GetServiceQuotaCommand } from '@aws-sdk/client-service-quotas';
import { awsTags, byText, byTextOf, instant } from '@nodewright/apis';
import type { CallGate, Clock, Random } from '@nodewright/runtime';
import { limitOn } from '../auto-scaling/limits-on-instances.ts';
import { callAws, type CallAws } from '../calls/call-aws.ts';
import type { AwsClients } from '../calls/clients.ts';
import { awsCodeOf } from '../calls/error-codes.ts';
import { readAllPages } from '../calls/pages.ts';
import { toInstance } from '../instances/instance.ts';
import { tagsFromList } from '../tags.ts';
import type {
  AccountReading,
  ReadCluster,
  ReadInstance,
  ReadLaunchTemplate,
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

type AccountReader = Pick<AccountQuestion, 'clients' | 'clusterName'> & {
  readonly call: CallAws;
  readonly signal: AbortSignal;
  /** What the work brings, or what is used in its place when the account does not let it be read. */
  readonly orUnread: <T>(what: string, otherwise: T, work: () => Promise<T>) => Promise<T>;
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
  const instances = await orUnread('ec2:DescribeInstances', [], () => readInstances(reader));
  const wanted = new Set(question.unregistered);
  return {
    region: question.region,
    ...(cluster === undefined ? {} : { cluster }),
    instances: await withUserData(reader, instances, wanted),
    subnets: await orUnread('ec2:DescribeSubnets', [], () => readSubnets(reader)),
    securityGroups: await orUnread('ec2:DescribeSecurityGroups', [], () => readSecurityGroups(reader)),
    launchTemplates: await orUnread('ec2:DescribeLaunchTemplates', [], () => readLaunchTemplates(reader)),
    profiles: await orUnread('iam:GetInstanceProfile', [], () => readProfiles(reader, question.profiles)),
    quotas: await orUnread('servicequotas:GetServiceQuota', [], () => readQuotas(reader, instances)),
    nodeGroups: await orUnread('eks:ListNodegroups', [], () => readNodeGroupNames(reader)),
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

async function readInstances({ call, clients, clusterName, signal }: AccountReader): Promise<readonly ReadInstance[]> {
  const Filters = [{ Name: 'tag-key', Values: [`kubernetes.io/cluster/${clusterName}`] }];
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeInstancesCommand({ Filters, MaxResults: 1000, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal, { tokens: { DescribeInstances: 1 } });
  });
  return pages
    .flatMap(({ Reservations = [] }) => Reservations)
    .flatMap(({ Instances = [] }) => Instances)
    .map(toReadInstance)
    .toSorted((a, b) => a.launchedAt - b.launchedAt);
}

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

/** Templates of the cluster, with the contents of their default versions. */
async function readLaunchTemplates(reader: AccountReader): Promise<readonly ReadLaunchTemplate[]> {
  const { call, clients, clusterName, signal } = reader;
  const Filters = [{ Name: `tag:${awsTags.clusterName}`, Values: [clusterName] }];
  const pages = await readAllPages((NextToken) => {
    const asked = new DescribeLaunchTemplatesCommand({ Filters, MaxResults: 200, NextToken });
    return call((options) => clients.ec2.send(asked, options), signal, { tokens: { DescribeLaunchTemplates: 1 } });
  });
  const read: ReadLaunchTemplate[] = [];
  for (const template of pages.flatMap(({ LaunchTemplates = [] }) => LaunchTemplates))
    read.push(...(await readContents(reader, template)));
  return read.toSorted(byTextOf(({ name }) => name));
}

async function readContents(
  { call, clients, signal }: AccountReader,
  { LaunchTemplateId: id, LaunchTemplateName: name = '', CreateTime: created, Tags }: LaunchTemplate,
): Promise<readonly ReadLaunchTemplate[]> {
  if (id === undefined) return [];
  const asked = new DescribeLaunchTemplateVersionsCommand({ LaunchTemplateId: id, Versions: ['$Default'] });
  const { LaunchTemplateVersions = [] } = await call((options) => clients.ec2.send(asked, options), signal);
  const data = LaunchTemplateVersions[0]?.LaunchTemplateData ?? {};
  const hash = createHash('sha256').update(JSON.stringify(data)).digest('hex');
  const createdAt = instant(created?.getTime() ?? 0);
  const imageId = data.ImageId;
  return [{ id, name, createdAt, ...(imageId === undefined ? {} : { imageId }), hash, data, tags: tagsFromList(Tags) }];
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
