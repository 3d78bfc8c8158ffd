import type {
  CreateClusterRequest,
  CreateClusterResponse,
  DeleteClusterRequest,
  DeleteClusterResponse,
} from '@aws-sdk/client-eks';
import { AwsError } from '../../../codec/aws-error.ts';
import { inUse, invalidParameter, invalidRequest } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { defaultVersion, supportOf, versionsAt } from '../../versions.ts';
import { type EksCluster, defaultClusterSettings } from '../../clusters/cluster.ts';
import { createClusterSecurityGroup } from '../../clusters/cluster-security-group.ts';
import { listClusterGroups } from '../nodegroups/groups-of.ts';
import { checkClusterPlaces, loggedAfter } from './check-settings.ts';
import { listKeptProfiles } from '../fargate/profile-operations.ts';
import { clusterOnTheWire } from './on-the-wire.ts';

const mostClusters = 100;

export function createCluster(eks: Eks, request: CreateClusterRequest): CreateClusterResponse {
  const { clusters } = eks;
  const name = clusters.once(request.clientRequestToken, request, () => {
    const cluster = newCluster(eks, request);
    if (clusters.find(cluster.name) !== undefined) {
      throw inUse({ clusterName: cluster.name }, `Cluster already exists with name: ${cluster.name}`);
    }
    if (clusters.all().length >= mostClusters) {
      const message = `The account has ${mostClusters} clusters, which is as many as it may have.`;
      throw new AwsError('ResourceLimitExceededException', message, { details: { clusterName: cluster.name } });
    }
    const securityGroupId = createClusterSecurityGroup(
      eks.nodeGroups.deps.ec2,
      cluster.name,
      cluster.subnetIds[0] ?? '',
    );
    return clusters.move({ ...cluster, securityGroupId }, 'CREATING').name;
  });
  return { cluster: clusterOnTheWire(eks, clusters.cluster(name)) };
}

function newCluster(eks: Eks, request: CreateClusterRequest): EksCluster {
  const name = request.name ?? '';
  const place = { clusterName: name };
  checkRole(request, name);
  const places = request.resourcesVpcConfig ?? {};
  checkClusterPlaces(eks, { ...places, subnetIds: places.subnetIds ?? [] }, place);
  const now = eks.clusters.now();
  return {
    ...defaultClusterSettings,
    name,
    createdAt: now,
    since: now,
    stage: 'CREATING',
    version: versionFor(eks, request),
    roleArn: request.roleArn ?? '',
    tags: request.tags ?? {},
    serviceCidr: request.kubernetesNetworkConfig?.serviceIpv4Cidr ?? '10.100.0.0/16',
    subnetIds: places.subnetIds ?? [],
    securityGroupIds: places.securityGroupIds ?? [],
    publicAccess: places.endpointPublicAccess ?? true,
    privateAccess: places.endpointPrivateAccess ?? false,
    publicCidrs: places.publicAccessCidrs ?? defaultClusterSettings.publicCidrs,
    logging: loggedAfter([], request.logging),
    authenticationMode: request.accessConfig?.authenticationMode ?? 'CONFIG_MAP',
    supportType: request.upgradePolicy?.supportType ?? 'EXTENDED',
    zonalShift: request.zonalShiftConfig?.enabled ?? false,
    deletionProtection: request.deletionProtection ?? false,
    autoMode: request.computeConfig?.enabled ?? false,
  };
}

function checkRole({ roleArn = '' }: CreateClusterRequest, clusterName: string): void {
  if (/^arn:aws[\w-]*:iam::\d{12}:role\/.+$/.test(roleArn)) return;
  throw invalidParameter({ clusterName }, `roleArn is "${roleArn}", must be the ARN of an IAM role`);
}

/** The one asked for, as long as EKS supports it; the newest by default. */
function versionFor(eks: Eks, { name, version }: CreateClusterRequest): string {
  const now = eks.clusters.now();
  const asked = version ?? defaultVersion(now);
  const known = versionsAt(now).find((each) => each.version === asked);
  if (known !== undefined && supportOf(known, now).versionStatus !== 'UNSUPPORTED') return asked;
  throw invalidParameter({ clusterName: name ?? '' }, `unsupported Kubernetes version: ${asked}`);
}

export function deleteCluster(eks: Eks, request: DeleteClusterRequest): DeleteClusterResponse {
  const { clusters } = eks;
  const cluster = clusters.cluster(request.name ?? '');
  checkDeletion(eks, cluster);
  eks.addons.forgetCluster(cluster.name);
  return { cluster: clusterOnTheWire(eks, clusters.move(cluster, 'DELETING')) };
}

function checkDeletion(eks: Eks, cluster: EksCluster): void {
  const place = { clusterName: cluster.name };
  const status = eks.clusters.statusOf(cluster);
  if (status !== 'ACTIVE') throw inUse(place, `Cluster ${cluster.name} is ${status}, and cannot be deleted now`);
  if (cluster.deletionProtection) {
    throw invalidRequest(place, `Cluster ${cluster.name} has deletionProtection; switch it off first`);
  }
  const groups = listClusterGroups(eks, cluster.name).map(({ name }) => name);
  if (groups.length > 0) throw inUse(place, `Cluster has nodegroups attached: ${groups.join(', ')}`);
  const profiles = listKeptProfiles(eks, cluster.name).map(({ name }) => name);
  if (profiles.length > 0) throw inUse(place, `Cluster has Fargate profiles attached: ${profiles.join(', ')}`);
}
