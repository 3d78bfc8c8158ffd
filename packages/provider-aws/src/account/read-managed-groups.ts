import {
  DescribeNodegroupCommand,
  DescribeUpdateCommand,
  ListUpdatesCommand,
  type Nodegroup,
  type NodegroupUpdateConfig,
} from '@aws-sdk/client-eks';
import { instant, type Instant } from '@nodewright/apis';
import { readAllPages } from '../calls/pages.ts';
import type { AccountReader } from './account-reader.ts';
import type { ReadManagedGroup } from './group-reading.ts';

/** The managed groups of these names, each with the version update that is under way. */
export async function readManagedGroups(
  reader: AccountReader,
  names: readonly string[],
): Promise<readonly ReadManagedGroup[]> {
  const { call, clients, clusterName, signal } = reader;
  const read: ReadManagedGroup[] = [];
  for (const nodegroupName of names) {
    const asked = new DescribeNodegroupCommand({ clusterName, nodegroupName });
    const { nodegroup } = await call((options) => clients.eks.send(asked, options), signal);
    if (nodegroup === undefined) continue;
    const update = nodegroup.status === 'UPDATING' ? await readVersionUpdate(reader, nodegroupName) : undefined;
    read.push({ ...toReadManagedGroup(nodegroup), ...(update === undefined ? {} : { update }) });
  }
  return read;
}

function toReadManagedGroup(group: Nodegroup): ReadManagedGroup {
  const { scalingConfig = {}, updateConfig = {} } = group;
  return {
    name: group.nodegroupName ?? '',
    arn: group.nodegroupArn ?? '',
    createdAt: instantOfDate(group.createdAt),
    modifiedAt: instantOfDate(group.modifiedAt),
    status: group.status ?? 'ACTIVE',
    version: group.version ?? '',
    releaseVersion: group.releaseVersion ?? '',
    amiType: group.amiType ?? 'CUSTOM',
    capacityType: group.capacityType ?? 'ON_DEMAND',
    scaling: {
      min: scalingConfig.minSize ?? 0,
      max: scalingConfig.maxSize ?? 0,
      desired: scalingConfig.desiredSize ?? 0,
    },
    subnetIds: group.subnets ?? [],
    nodeRole: group.nodeRole ?? '',
    labels: group.labels ?? {},
    taints: group.taints ?? [],
    tags: group.tags ?? {},
    updateConfig: toReadUpdateConfig(updateConfig),
    ...optionalGroupParts(group),
  };
}

const instantOfDate = (date: Date | undefined): Instant => instant(date?.getTime() ?? 0);

function optionalGroupParts(group: Nodegroup): Partial<ReadManagedGroup> {
  const { instanceTypes, diskSize, launchTemplate, nodeRepairConfig, warmPoolConfig, resources } = group;
  const scalingGroup = resources?.autoScalingGroups?.[0]?.name;
  const { id, name = '', version = '' } = launchTemplate ?? {};
  return {
    ...(instanceTypes === undefined ? {} : { instanceTypes }),
    ...(diskSize === undefined ? {} : { diskSize }),
    ...(id === undefined ? {} : { source: { id, name, version } }),
    ...(nodeRepairConfig === undefined ? {} : { nodeRepairConfig }),
    ...(warmPoolConfig === undefined ? {} : { warmPoolConfig }),
    ...(scalingGroup === undefined ? {} : { scalingGroup }),
  };
}

const toReadUpdateConfig = ({
  maxUnavailable,
  maxUnavailablePercentage,
  updateStrategy,
}: NodegroupUpdateConfig): ReadManagedGroup['updateConfig'] => ({
  ...(maxUnavailable === undefined ? {} : { maxUnavailable }),
  ...(maxUnavailablePercentage === undefined ? {} : { maxUnavailablePercentage }),
  ...(updateStrategy === undefined ? {} : { updateStrategy }),
});

async function readVersionUpdate(
  { call, clients, clusterName: name, signal }: AccountReader,
  nodegroupName: string,
): Promise<ReadManagedGroup['update']> {
  const pages = await readAllPages(async (nextToken) => {
    const asked = new ListUpdatesCommand({ name, nodegroupName, nextToken });
    const answer = await call((options) => clients.eks.send(asked, options), signal);
    return { ids: answer.updateIds ?? [], NextToken: answer.nextToken };
  });
  for (const updateId of pages.flatMap(({ ids }) => ids)) {
    const asked = new DescribeUpdateCommand({ name, nodegroupName, updateId });
    const { update } = await call((options) => clients.eks.send(asked, options), signal);
    if (update?.status !== 'InProgress' || update.type !== 'VersionUpdate') continue;
    const params = Object.fromEntries((update.params ?? []).map(({ type = '', value = '' }) => [type, value]));
    return { id: updateId, createdAt: instantOfDate(update.createdAt), params };
  }
  return undefined;
}
