import type { Taint, UpdateNodegroupConfigRequest, UpdateNodegroupConfigResponse } from '@aws-sdk/client-eks';
import { inUse } from '../../errors.ts';
import type { Eks } from '../../model.ts';
import {
  checkGroupLabels,
  checkTaints,
  groupPlaceOf,
  sameTaint,
  scalingOf,
  readUpdateConfig,
} from '../../nodegroups/check-settings.ts';
import { checkNodeRepair, checkWarmPool } from '../../nodegroups/check-upkeep.ts';
import { groupUpdateOnTheWire } from '../../nodegroups/group-on-the-wire.ts';
import { findNodegroup } from './groups-of.ts';
import type { GroupUpdate, EksNodeGroup } from '../../nodegroups/node-group.ts';

export function updateNodegroupConfig(eks: Eks, request: UpdateNodegroupConfigRequest): UpdateNodegroupConfigResponse {
  const { nodeGroups, group } = findNodegroup(eks, request);
  const { name: clusterName } = nodeGroups.deps.cluster();
  const update = nodeGroups.once(request.clientRequestToken, request, (about) => {
    const place = groupPlaceOf(clusterName, group);
    if (group.status !== 'ACTIVE') throw inUse(place, `Nodegroup cannot be updated as it is ${group.status}`);
    const changed = changedGroup(group, request, clusterName);
    return nodeGroups.begin(changed, {
      ...about,
      type: 'ConfigUpdate',
      params: listConfigParams(request),
      removed: { labels: request.labels?.removeLabels ?? [], taints: request.taints?.removeTaints ?? [] },
    });
  });
  return { update: groupUpdateOnTheWire(update) };
}

/** What is given over what holds; first what is removed, then what is added. */
function changedGroup(group: EksNodeGroup, request: UpdateNodegroupConfigRequest, clusterName: string): EksNodeGroup {
  const place = groupPlaceOf(clusterName, group);
  const added = request.labels?.addOrUpdateLabels ?? {};
  const taints = request.taints?.addOrUpdateTaints ?? [];
  checkGroupLabels(added, place);
  checkTaints(taints, place);
  checkNodeRepair(request.nodeRepairConfig, place);
  checkWarmPool(request.warmPoolConfig, group.amiType, place);
  const scaling = scalingOf(request.scalingConfig, group.scaling, place);
  const before = { before: group.updateConfig, maxSize: scaling.max };
  return {
    ...group,
    labels: { ...withoutLabels(group.labels, request.labels?.removeLabels ?? []), ...added },
    taints: [...keptTaints(group.taints, [...(request.taints?.removeTaints ?? []), ...taints]), ...taints],
    scaling,
    updateConfig: readUpdateConfig(request.updateConfig, before, place),
    ...(request.nodeRepairConfig !== undefined && { nodeRepairConfig: request.nodeRepairConfig }),
    ...(request.warmPoolConfig !== undefined && { warmPoolConfig: request.warmPoolConfig }),
  };
}

const withoutLabels = (labels: EksNodeGroup['labels'], keys: readonly string[]): EksNodeGroup['labels'] =>
  Object.fromEntries(Object.entries(labels).filter(([key]) => !keys.includes(key)));

const keptTaints = (taints: readonly Taint[], gone: readonly Taint[]): readonly Taint[] =>
  taints.filter((taint) => !gone.some((each) => sameTaint(each, taint)));

/** One entry per leaf that was given, changed or not; maps and lists as JSON. */
function listConfigParams({
  labels,
  taints,
  scalingConfig,
  updateConfig,
  nodeRepairConfig,
  warmPoolConfig,
}: UpdateNodegroupConfigRequest): GroupUpdate['params'] {
  const leaves = [
    ['LabelsToAdd', labels?.addOrUpdateLabels],
    ['LabelsToRemove', labels?.removeLabels],
    ['TaintsToAdd', taints?.addOrUpdateTaints],
    ['TaintsToRemove', taints?.removeTaints],
    ['MinSize', scalingConfig?.minSize],
    ['MaxSize', scalingConfig?.maxSize],
    ['DesiredSize', scalingConfig?.desiredSize],
    ['MaxUnavailable', updateConfig?.maxUnavailable],
    ['MaxUnavailablePercentage', updateConfig?.maxUnavailablePercentage],
    ['UpdateStrategy', updateConfig?.updateStrategy],
    ['NodeRepairEnabled', nodeRepairConfig?.enabled],
    ['NodeRepairConfig', nodeRepairConfig],
    ['WarmPoolEnabled', warmPoolConfig?.enabled],
    ['WarmPoolMinSize', warmPoolConfig?.minSize],
    ['WarmPoolMaxGroupPreparedCapacity', warmPoolConfig?.maxGroupPreparedCapacity],
    ['WarmPoolState', warmPoolConfig?.poolState],
    ['WarmPoolReuseOnScaleIn', warmPoolConfig?.reuseOnScaleIn],
  ] as const;
  return leaves.flatMap(([type, value]) =>
    value === undefined ? [] : [{ type, value: typeof value === 'object' ? JSON.stringify(value) : String(value) }],
  );
}
