import type { UpdateClusterConfigRequest, UpdateClusterConfigResponse, UpdateParam } from '@aws-sdk/client-eks';
import { inUse, invalidParameter } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import { checkClusterPlaces, loggedAfter } from './check-settings.ts';
import type { EksCluster, ClusterUpdate } from '../../clusters/cluster.ts';
import { clusterUpdateOnTheWire } from './on-the-wire.ts';

export function updateClusterConfig(eks: Eks, request: UpdateClusterConfigRequest): UpdateClusterConfigResponse {
  const { clusters } = eks;
  const cluster = clusters.cluster(request.name ?? '');
  const id = clusters.once(request.clientRequestToken, request, () => {
    const place = { clusterName: cluster.name };
    const status = clusters.statusOf(cluster);
    if (status !== 'ACTIVE') throw inUse(place, `Cluster ${cluster.name} is ${status}, and cannot be updated now`);
    checkClusterPlaces(eks, request.resourcesVpcConfig ?? {}, place);
    const asked = listConfigChanges(cluster, request);
    const [change, ...others] = asked;
    if (change === undefined || others.length > 0) {
      const given = asked.length === 0 ? 'none' : asked.map(({ type }) => type).join(' and ');
      throw invalidParameter(place, `An update changes one kind of setting at a time; this one has ${given}`);
    }
    return clusters.begin(cluster.name, change).id;
  });
  return { update: clusterUpdateOnTheWire(clusters.update(cluster.name, id)) };
}

type ConfigChange = Pick<ClusterUpdate, 'type' | 'params' | 'change'>;

/** Every kind of setting that is given, and what the update says of it. */
function listConfigChanges(cluster: EksCluster, request: UpdateClusterConfigRequest): readonly ConfigChange[] {
  const { logging, accessConfig, upgradePolicy, zonalShiftConfig, deletionProtection, computeConfig } = request;
  const changes: readonly (ConfigChange | undefined)[] = [
    ...accessChanges(request),
    logging && {
      type: 'LoggingUpdate',
      params: [{ type: 'ClusterLogging', value: JSON.stringify(logging) }],
      change: { logging: loggedAfter(cluster.logging, logging) },
    },
    accessConfig?.authenticationMode && {
      type: 'AccessConfigUpdate',
      params: [{ type: 'AuthenticationMode', value: accessConfig.authenticationMode }],
      change: { authenticationMode: accessConfig.authenticationMode },
    },
    upgradePolicy?.supportType && {
      type: 'UpgradePolicyUpdate',
      params: [{ type: 'UpgradePolicy', value: JSON.stringify(upgradePolicy) }],
      change: { supportType: upgradePolicy.supportType },
    },
    zonalShiftConfig && {
      type: 'ZonalShiftConfigUpdate',
      params: [{ type: 'ZonalShiftConfig', value: JSON.stringify(zonalShiftConfig) }],
      change: { zonalShift: zonalShiftConfig.enabled ?? false },
    },
    deletionProtection === undefined
      ? undefined
      : {
          type: 'DeletionProtectionUpdate',
          params: [{ type: 'DeletionProtection', value: String(deletionProtection) }],
          change: { deletionProtection },
        },
    computeConfig && {
      type: 'AutoModeUpdate',
      params: [{ type: 'ComputeConfig', value: JSON.stringify(computeConfig) }],
      change: { autoMode: computeConfig.enabled ?? false },
    },
  ];
  return changes.filter((change) => change !== undefined);
}

function accessChanges({ resourcesVpcConfig: asked }: UpdateClusterConfigRequest): readonly ConfigChange[] {
  if (asked === undefined) return [];
  const { endpointPublicAccess, endpointPrivateAccess, publicAccessCidrs, subnetIds, securityGroupIds } = asked;
  const access: UpdateParam[] = [
    ...paramOf('EndpointPublicAccess', endpointPublicAccess),
    ...paramOf('EndpointPrivateAccess', endpointPrivateAccess),
    ...paramOf('PublicAccessCidrs', publicAccessCidrs),
  ];
  const places: UpdateParam[] = [...paramOf('Subnets', subnetIds), ...paramOf('SecurityGroups', securityGroupIds)];
  const settings: ConfigChange['change'] = {
    ...(endpointPublicAccess !== undefined && { publicAccess: endpointPublicAccess }),
    ...(endpointPrivateAccess !== undefined && { privateAccess: endpointPrivateAccess }),
    ...(publicAccessCidrs !== undefined && { publicCidrs: publicAccessCidrs }),
  };
  const network = { ...(subnetIds && { subnetIds }), ...(securityGroupIds && { securityGroupIds }) };
  return [
    ...(access.length === 0 ? [] : [{ type: 'EndpointAccessUpdate' as const, params: access, change: settings }]),
    ...(places.length === 0 ? [] : [{ type: 'VpcConfigUpdate' as const, params: places, change: network }]),
  ];
}

function paramOf(
  type: NonNullable<UpdateParam['type']>,
  value: boolean | readonly string[] | undefined,
): UpdateParam[] {
  if (value === undefined) return [];
  return [{ type, value: typeof value === 'boolean' ? String(value) : JSON.stringify(value) }];
}
