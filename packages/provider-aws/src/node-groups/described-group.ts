import type { Issue, Nodegroup, NodegroupUpdateConfig, Update } from '@aws-sdk/client-eks';
import { instant } from '@nodewright/apis';
import type { GroupIssue, GroupUpdateConfig, ManagedGroup, SeenUpdate } from '@nodewright/ports';
import { imageKindOf } from './image-kind.ts';

/** A node group in the words of the port. */
export function describedGroup(group: Nodegroup): ManagedGroup {
  const kind = imageKindOf(group.amiType ?? 'CUSTOM');
  const scalingGroup = group.resources?.autoScalingGroups?.[0]?.name;
  const { id, version = '$Default' } = group.launchTemplate ?? {};
  return {
    name: group.nodegroupName ?? '',
    status: group.status ?? 'UNKNOWN',
    kubernetesVersion: group.version ?? '',
    release: group.releaseVersion ?? '',
    ...(kind === undefined ? {} : { imageKind: kind }),
    ...(id === undefined ? {} : { template: { id, version } }),
    updateConfig: managedUpdateConfigOf(group.updateConfig ?? {}),
    issues: (group.health?.issues ?? []).map(issueOf),
    ...(scalingGroup === undefined ? {} : { scalingGroup }),
  };
}

export function describedUpdate(update: Update): SeenUpdate {
  return {
    id: update.id ?? '',
    kind: update.type ?? '',
    status: update.status ?? 'InProgress',
    createdAt: instant(update.createdAt?.getTime() ?? 0),
    params: Object.fromEntries((update.params ?? []).map(({ type = '', value = '' }) => [type, value])),
    errors: (update.errors ?? []).map(({ errorCode, errorMessage = '', resourceIds = [] }) => ({
      code: errorCode ?? 'Unknown',
      message: errorMessage,
      resourceIds: resourceIds.toSorted(),
    })),
  };
}

const issueOf = ({ code, message = '', resourceIds = [] }: Issue): GroupIssue => ({
  code: code ?? 'Unknown',
  message,
  resourceIds: resourceIds.toSorted(),
});

const managedUpdateConfigOf = (config: NodegroupUpdateConfig): GroupUpdateConfig => ({
  ...(config.updateStrategy === undefined ? {} : { strategy: config.updateStrategy }),
  ...(config.maxUnavailable === undefined ? {} : { maxUnavailable: config.maxUnavailable }),
  ...(config.maxUnavailablePercentage === undefined
    ? {}
    : { maxUnavailablePercentage: config.maxUnavailablePercentage }),
});
