import type { Nodegroup, Update } from '@aws-sdk/client-eks';
import { listGroupIssues } from './health/issues-of.ts';
import type { GroupUpdate, EksNodeGroup } from './node-group.ts';
import type { NodeGroups } from './node-groups.ts';

export function writeNodegroup(group: EksNodeGroup, groups: NodeGroups): Nodegroup {
  const { cluster } = groups.deps;
  const issues = listGroupIssues(group, groups.deps);
  return {
    nodegroupName: group.name,
    nodegroupArn: group.arn,
    clusterName: cluster().name,
    version: group.version,
    releaseVersion: group.releaseVersion,
    createdAt: new Date(group.createdAt),
    modifiedAt: new Date(group.modifiedAt),
    status: group.status === 'ACTIVE' && issues.length > 0 ? 'DEGRADED' : group.status,
    capacityType: group.capacityType,
    scalingConfig: { minSize: group.scaling.min, maxSize: group.scaling.max, desiredSize: group.scaling.desired },
    subnets: [...group.subnetIds],
    amiType: group.amiType,
    nodeRole: group.nodeRole,
    labels: { ...group.labels },
    health: { issues: [...issues] },
    updateConfig: { ...group.updateConfig },
    tags: { ...group.tags },
    ...optionalParts(group),
  };
}

/** What is left out when it is not set. */
const optionalParts = (group: EksNodeGroup): Nodegroup => ({
  ...(group.instanceTypes !== undefined && { instanceTypes: [...group.instanceTypes] }),
  ...(group.diskSize !== undefined && { diskSize: group.diskSize }),
  ...(group.remoteAccess !== undefined && { remoteAccess: group.remoteAccess }),
  ...(group.taints.length > 0 && { taints: [...group.taints] }),
  ...(group.source !== undefined && { launchTemplate: { ...group.source } }),
  ...(group.nodeRepairConfig !== undefined && { nodeRepairConfig: group.nodeRepairConfig }),
  ...(group.warmPoolConfig !== undefined && { warmPoolConfig: group.warmPoolConfig }),
  ...(group.resources !== undefined && { resources: { autoScalingGroups: [{ name: group.resources.groupName }] } }),
});

export const groupUpdateOnTheWire = ({ id, status, type, params, createdAt, errors }: GroupUpdate): Update => ({
  id,
  status,
  type,
  params,
  createdAt: new Date(createdAt),
  errors,
});
