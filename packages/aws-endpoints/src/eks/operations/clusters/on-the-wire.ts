import type { Cluster as WireCluster, Update } from '@aws-sdk/client-eks';
import { arnOf } from '../../../account.ts';
import { vpcIdOfSubnet } from '../../../ec2/vpcs.ts';
import type { Eks } from '../../model.ts';
import { platformOf } from '../../versions.ts';
import type { EksCluster, ClusterUpdate } from '../../clusters/cluster.ts';
import { clusterSecurityGroupOf } from '../../clusters/cluster-security-group.ts';

export function clusterOnTheWire(eks: Eks, cluster: EksCluster): WireCluster {
  const { clusters } = eks;
  return {
    name: cluster.name,
    arn: clusterArn(eks, cluster.name),
    createdAt: new Date(cluster.createdAt),
    version: cluster.version,
    platformVersion: platformOf(cluster.version),
    status: clusters.statusOf(cluster),
    roleArn: cluster.roleArn,
    tags: { ...cluster.tags },
    ...(cluster.stage !== 'CREATING' && connection(eks, cluster)),
    identity: { oidc: { issuer: eks.issuerOf(cluster.name) } },
    kubernetesNetworkConfig: { serviceIpv4Cidr: cluster.serviceCidr, ipFamily: 'ipv4' },
    resourcesVpcConfig: placesOnTheWire(eks, cluster),
    health: { issues: [] },
    logging: loggingOnTheWire(cluster),
    accessConfig: { authenticationMode: cluster.authenticationMode as 'API' },
    upgradePolicy: { supportType: cluster.supportType },
    zonalShiftConfig: { enabled: cluster.zonalShift },
    deletionProtection: cluster.deletionProtection,
    ...(cluster.autoMode && { computeConfig: { enabled: true, nodePools: ['general-purpose', 'system'] } }),
  };
}

export const clusterArn = ({ account }: Eks, name: string): string => arnOf(account, 'eks', `cluster/${name}`);

/** The endpoint of the control plane, once there is one. */
const connection = (eks: Eks, { name }: EksCluster): WireCluster => ({
  endpoint: eks.endpointOf(name),
  certificateAuthority: { data: Buffer.from(eks.certificateAuthority()).toString('base64') },
});

const placesOnTheWire = ({ network }: Eks, cluster: EksCluster): NonNullable<WireCluster['resourcesVpcConfig']> => ({
  vpcId: vpcIdOfSubnet(network, cluster.subnetIds[0] ?? ''),
  subnetIds: [...cluster.subnetIds],
  securityGroupIds: [...cluster.securityGroupIds],
  clusterSecurityGroupId: clusterSecurityGroupOf(network, cluster),
  endpointPublicAccess: cluster.publicAccess,
  endpointPrivateAccess: cluster.privateAccess,
  publicAccessCidrs: [...cluster.publicCidrs],
});

export const logTypes = ['api', 'audit', 'authenticator', 'controllerManager', 'scheduler'] as const;

function loggingOnTheWire({ logging }: EksCluster): NonNullable<WireCluster['logging']> {
  const setups = [true, false].map((enabled) => ({
    types: logTypes.filter((type) => logging.includes(type) === enabled),
    enabled,
  }));
  return { clusterLogging: setups.filter(({ types }) => types.length > 0) };
}

export const clusterUpdateOnTheWire = (update: ClusterUpdate): Update => ({
  id: update.id,
  status: update.status,
  type: update.type,
  params: update.params,
  createdAt: new Date(update.createdAt),
  errors: update.errors,
  ...(update.cancellation !== undefined && { cancellation: update.cancellation }),
});
