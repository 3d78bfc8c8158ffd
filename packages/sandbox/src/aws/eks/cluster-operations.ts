import type {
  Cluster,
  ClusterVersionStatus,
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
  UpdateClusterVersionRequest,
  UpdateClusterVersionResponse,
  VersionStatus,
} from '@aws-sdk/client-eks';
import type { Instant } from '@nodewright/apis';
import { arnOf, iamArnOf } from '../account.ts';
import { pageOf } from '../paging.ts';
import type { VersionUpdate } from './control-plane.ts';
import { badToken, invalidVersion, noSuchCluster } from './errors.ts';
import type { Eks } from './model.ts';
import { groupUpdateOnTheWire } from './nodegroups/group-on-the-wire.ts';
import { clusterVersions, isNextVersion, platformOf, type ClusterVersion } from './versions.ts';

/** @throws AwsError unless the name is that of the account's one cluster */
export function checkCluster({ clusterName }: Eks, name: string | undefined): void {
  if (name !== clusterName) throw noSuchCluster(name ?? '');
}

export function describeCluster(eks: Eks, { name }: DescribeClusterRequest): DescribeClusterResponse {
  checkCluster(eks, name);
  return { cluster: { ...identity(eks), ...connection(eks), ...settings } };
}

const identity = ({ account, clusterName, controlPlane }: Eks): Cluster => ({
  name: clusterName,
  arn: arnOf(account, 'eks', `cluster/${clusterName}`),
  createdAt: new Date(controlPlane.createdAt),
  version: controlPlane.version,
  platformVersion: platformOf(controlPlane.version),
  status: controlPlane.status,
  roleArn: iamArnOf(account, `role/eksctl-${clusterName}-cluster-ServiceRole`),
  tags: { 'alpha.eksctl.io/cluster-name': clusterName },
});

const connection = ({ account, network, endpoint, certificateAuthority }: Eks): Cluster => ({
  endpoint: endpoint(),
  certificateAuthority: { data: Buffer.from(certificateAuthority()).toString('base64') },
  identity: { oidc: { issuer: `https://oidc.eks.${account.region}.amazonaws.com/id/SANDBOX` } },
  kubernetesNetworkConfig: { serviceIpv4Cidr: '10.100.0.0/16', ipFamily: 'ipv4' },
  resourcesVpcConfig: {
    vpcId: network.vpcId,
    subnetIds: network.subnets.map(({ id }) => id),
    securityGroupIds: [],
    clusterSecurityGroupId: network.securityGroups.find(({ name }) => name.startsWith('eks-cluster-sg'))?.id,
    endpointPublicAccess: true,
    endpointPrivateAccess: false,
    publicAccessCidrs: ['0.0.0.0/0'],
  },
});

const settings: Cluster = {
  health: { issues: [] },
  logging: { clusterLogging: [] },
  accessConfig: { authenticationMode: 'API_AND_CONFIG_MAP' },
  upgradePolicy: { supportType: 'EXTENDED' },
};

export function listClusters(eks: Eks, request: ListClustersRequest): ListClustersResponse {
  const page = { size: request.maxResults ?? 100, token: request.nextToken, refuse: badToken };
  const { items, next } = pageOf([eks.clusterName], page);
  return { clusters: [...items], ...(next && { nextToken: next }) };
}

export function updateClusterVersion(eks: Eks, request: UpdateClusterVersionRequest): UpdateClusterVersionResponse {
  checkCluster(eks, request.name);
  checkGroups(eks, request.version ?? '');
  return { update: updateOnTheWire(eks.controlPlane.begin(request.version ?? '', request.clientRequestToken)) };
}

/** Managed nodes have the cluster's minor before the cluster takes the next one. */
function checkGroups({ clusterName, controlPlane, nodeGroups }: Eks, version: string): void {
  if (!isNextVersion(controlPlane.version, version)) return;
  const lagging = nodeGroups.all().filter((group) => group.version !== controlPlane.version);
  if (lagging.length === 0) return;
  const names = lagging.map((group) => `${group.name} (${group.version})`).join(', ');
  throw invalidVersion(
    clusterName,
    `Nodegroups ${names} must be updated to match cluster version ${controlPlane.version} before updating cluster version`,
  );
}

/** An update of a node group is found with its group only, whatever its id. */
export function describeUpdate(eks: Eks, request: DescribeUpdateRequest): DescribeUpdateResponse {
  checkCluster(eks, request.name);
  const { nodegroupName: group, updateId = '' } = request;
  if (group !== undefined) {
    eks.nodeGroups.group(group);
    return { update: groupUpdateOnTheWire(eks.nodeGroups.update(group, updateId)) };
  }
  return { update: updateOnTheWire(eks.controlPlane.update(updateId)) };
}

export function listUpdates(eks: Eks, request: ListUpdatesRequest): ListUpdatesResponse {
  checkCluster(eks, request.name);
  const ids = updatesAsked(eks, request).map(({ id }) => id);
  const page = { size: request.maxResults ?? 100, token: request.nextToken, refuse: badToken };
  const { items, next } = pageOf(ids, page);
  return { updateIds: [...items], ...(next && { nextToken: next }) };
}

function updatesAsked(eks: Eks, request: ListUpdatesRequest): readonly { readonly id: string }[] {
  if (request.addonName !== undefined) return [];
  if (request.nodegroupName === undefined) return eks.controlPlane.updates();
  return eks.nodeGroups.updatesOf(eks.nodeGroups.group(request.nodegroupName).name);
}

const updateOnTheWire = ({ id, status, version, createdAt }: VersionUpdate): Update => ({
  id,
  status,
  type: 'VersionUpdate',
  params: [
    { type: 'Version', value: version },
    { type: 'PlatformVersion', value: platformOf(version) },
  ],
  createdAt: new Date(createdAt),
  errors: [],
});

export function describeClusterVersions(
  { controlPlane }: Eks,
  request: DescribeClusterVersionsRequest,
): DescribeClusterVersionsResponse {
  const now = controlPlane.now();
  const asked = versionsAt(now)
    .filter(({ version }) => request.clusterVersions?.includes(version) ?? true)
    .filter((each) => request.defaultOnly !== true || isDefault(each, now))
    .toReversed();
  const page = { size: request.maxResults, token: request.nextToken, refuse: badToken };
  const { items, next } = pageOf(asked, page);
  return { clusterVersions: items.map((each) => versionOnTheWire(each, now)), ...(next && { nextToken: next }) };
}

/** The newest minor that is out. */
const isDefault = (version: ClusterVersion, now: Instant): boolean => version === versionsAt(now).at(-1);

const versionsAt = (now: Instant): readonly ClusterVersion[] =>
  clusterVersions.filter(({ released }) => Date.parse(released) <= now);

type Support = { readonly status: ClusterVersionStatus; readonly versionStatus: VersionStatus };

function supportOf({ standardUntil, extendedUntil }: ClusterVersion, now: Instant): Support {
  if (now < Date.parse(standardUntil)) return { status: 'standard-support', versionStatus: 'STANDARD_SUPPORT' };
  if (now < Date.parse(extendedUntil)) return { status: 'extended-support', versionStatus: 'EXTENDED_SUPPORT' };
  return { status: 'unsupported', versionStatus: 'UNSUPPORTED' };
}

const versionOnTheWire = (each: ClusterVersion, now: Instant) => ({
  clusterVersion: each.version,
  clusterType: 'eks',
  defaultPlatformVersion: each.platform,
  defaultVersion: isDefault(each, now),
  releaseDate: new Date(each.released),
  endOfStandardSupportDate: new Date(each.standardUntil),
  endOfExtendedSupportDate: new Date(each.extendedUntil),
  ...supportOf(each, now),
  kubernetesPatchVersion: each.patch,
});
