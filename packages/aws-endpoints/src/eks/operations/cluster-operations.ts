import type {
  DescribeClusterRequest,
  DescribeClusterResponse,
  DescribeClusterVersionsRequest,
  DescribeClusterVersionsResponse,
  DescribeUpdateRequest,
  DescribeUpdateResponse,
  ListClustersRequest,
  ListClustersResponse,
  ListUpdatesRequest,
  ListUpdatesResponse,
  Update,
} from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';
import { takePage } from '../../paging.ts';
import { clusterOnTheWire, clusterUpdateOnTheWire } from './clusters/on-the-wire.ts';
import type { Eks } from '../model.ts';
import { eksPage } from './page.ts';
import { groupUpdateOnTheWire } from '../nodegroups/group-on-the-wire.ts';
import { findAddon } from './addons/addon-operations.ts';
import { writeAddonUpdate } from './addons/on-the-wire.ts';
import { noSuchUpdate } from '../errors.ts';
import { findNodegroup } from './nodegroups/groups-of.ts';
import { type ClusterVersion, defaultVersion, supportOf, versionsAt } from '../versions.ts';

export const describeCluster = (eks: Eks, { name = '' }: DescribeClusterRequest): DescribeClusterResponse => ({
  cluster: clusterOnTheWire(eks, eks.clusters.cluster(name)),
});

export function listClusters(eks: Eks, request: ListClustersRequest): ListClustersResponse {
  const names = eks.clusters.all().map(({ name }) => name);
  const { items, next } = takePage(names, eksPage(request));
  return { clusters: [...items], ...(next && { nextToken: next }) };
}

/** An update of a node group is found with its group only, whatever its id. */
export function describeEksUpdate(eks: Eks, request: DescribeUpdateRequest): DescribeUpdateResponse {
  const { name: clusterName = '', nodegroupName, updateId = '' } = request;
  if (request.addonName !== undefined) return { update: describeAddonUpdate(eks, request) };
  if (nodegroupName === undefined) {
    return { update: clusterUpdateOnTheWire(eks.clusters.update(eks.clusters.cluster(clusterName).name, updateId)) };
  }
  const { group, nodeGroups } = findNodegroup(eks, { clusterName, nodegroupName });
  return { update: groupUpdateOnTheWire(nodeGroups.update(group.name, updateId)) };
}

function describeAddonUpdate(eks: Eks, { name, addonName, updateId = '' }: DescribeUpdateRequest): Update {
  const addon = findAddon(eks, { clusterName: name, addonName });
  const update = eks.addons.findUpdate(updateId);
  if (update?.addonName !== addon.name || update.clusterName !== addon.clusterName)
    throw noSuchUpdate(addon.clusterName, updateId);
  return writeAddonUpdate(update, eks.addons.now());
}

export function listUpdates(eks: Eks, request: ListUpdatesRequest): ListUpdatesResponse {
  const ids = updatesAsked(eks, request).map(({ id }) => id);
  const { items, next } = takePage(ids, eksPage(request));
  return { updateIds: [...items], ...(next && { nextToken: next }) };
}

function updatesAsked(eks: Eks, request: ListUpdatesRequest): readonly { readonly id: string }[] {
  const { name: clusterName, nodegroupName, addonName } = request;
  const cluster = eks.clusters.cluster(clusterName ?? '');
  if (addonName !== undefined)
    return eks.addons.listUpdates(cluster.name, findAddon(eks, { clusterName, addonName }).name);
  if (nodegroupName === undefined) return eks.clusters.updatesOf(cluster.name);
  const { group, nodeGroups } = findNodegroup(eks, { clusterName, nodegroupName });
  return nodeGroups.updatesOf(group.name);
}

export function describeClusterVersions(
  { clusters }: Eks,
  request: DescribeClusterVersionsRequest,
): DescribeClusterVersionsResponse {
  const now = clusters.now();
  const asked = versionsAt(now)
    .filter(({ version }) => request.clusterVersions?.includes(version) ?? true)
    .filter((each) => request.defaultOnly !== true || each.version === defaultVersion(now))
    .toReversed();
  const { items, next } = takePage(asked, eksPage(request));
  return { clusterVersions: items.map((each) => writeClusterVersion(each, now)), ...(next && { nextToken: next }) };
}

const writeClusterVersion = (each: ClusterVersion, now: Instant) => ({
  clusterVersion: each.version,
  clusterType: 'eks',
  defaultPlatformVersion: each.platform,
  defaultVersion: each.version === defaultVersion(now),
  releaseDate: new Date(each.released),
  endOfStandardSupportDate: new Date(each.standardUntil),
  endOfExtendedSupportDate: new Date(each.extendedUntil),
  ...supportOf(each, now),
  kubernetesPatchVersion: each.patch,
});
