import { earliest, instant, minutes, type Node, nodes, pods, readOwn } from '@nodewright/apis';
import { eksLimits } from '@nodewright/nodegroups';
import { isEnding, type EksNodeGroup, type NodeGroups } from '@nodewright/aws-endpoints';
import {
  ClusterControlPlane,
  type Keys,
  type Recheck,
  type ClusterControllerOptions,
  type Stoppable,
} from '@nodewright/cluster-sim';
import { adoptNodes, groupOfNode } from './adopt.ts';
import { applyConfig } from './config-update.ts';
import { answerHooks } from './hooks.ts';
import { advanceCreation, advanceDeletion } from './lifecycle.ts';
import type { GroupManager } from './manager.ts';
import { noteLateInstances } from './late-instances.ts';
import { planRepairs } from './node-repair.ts';
import { nodesOf } from './observe.ts';
import { answerNotices } from './spot-notices.ts';
import { advanceVersion } from './version-update.ts';

export type NodeManagerOptions = ClusterControllerOptions & {
  readonly nodeGroups: NodeGroups;
  readonly onFailure?: GroupManager['onFailure'];
  readonly updateQuietMs?: number;
};

/** The part of EKS that works inside the cluster, as `eks:node-manager`. It watches nothing before there is a group. */
export function startNodeManager(options: NodeManagerOptions): Stoppable {
  let running: { readonly control: ClusterControlPlane; readonly keys: Keys } | undefined;
  let stopped = false;
  options.nodeGroups.onChange((name) => {
    if (stopped) return;
    running ??= beginManaging(options);
    running.keys.add(name);
  });
  return {
    stop: () => {
      stopped = true;
      running?.control.stop();
    },
  };
}

function beginManaging(options: NodeManagerOptions): { readonly control: ClusterControlPlane; readonly keys: Keys } {
  const control = new ClusterControlPlane(options);
  const { watches } = control;
  const limits = { ...eksLimits, quietMs: options.updateQuietMs ?? eksLimits.quietMs };
  const manager: GroupManager = { onFailure: 'leave', ...options, watches, limits };
  const keys = control.controller('node manager', (name) => reconcile(manager, name));
  watches.of(pods);
  watches.of(nodes).onChange((before, after) => {
    const name = groupOfNode((after ?? before) as Node, options.nodeGroups);
    if (name !== undefined && options.nodeGroups.find(name) !== undefined) keys.add(name);
  });
  control.open();
  return { control, keys };
}

async function reconcile(manager: GroupManager, name: string): Promise<Recheck> {
  const { nodeGroups } = manager;
  const group = nodeGroups.find(name);
  const scaling = group?.resources && nodeGroups.deps.autoScaling.find(group.resources.groupName);
  if (group !== undefined && scaling !== undefined) await adoptNodes(manager, group, scaling);
  const notices = scaling && (await answerNotices(manager, scaling));
  const hooks = group && scaling && (await answerHooks(manager, group, scaling));
  const current = nodeGroups.find(name);
  const own = current && (await advanceGroup(manager, current));
  return earliest(notices, hooks, own);
}

function advanceGroup(manager: GroupManager, group: EksNodeGroup): Recheck | Promise<Recheck> {
  const update = manager.nodeGroups.running(group.name);
  switch (group.status) {
    case 'CREATING':
      return advanceCreation(manager, group);
    case 'DELETING':
      return advanceDeletion(manager, group);
    case 'UPDATING':
      if (update === undefined) return undefined;
      return update.type === 'VersionUpdate'
        ? advanceVersion(manager, group, update)
        : applyConfig(manager, group, update);
    case 'ACTIVE':
      return lookAfter(manager, group);
    default:
      return undefined;
  }
}

function lookAfter(manager: GroupManager, group: EksNodeGroup): Recheck {
  const scaling = group.resources && manager.nodeGroups.deps.autoScaling.find(group.resources.groupName);
  if (scaling === undefined) return undefined;
  const late = noteLateInstances(manager, group, scaling);
  return earliest(late, repair(manager, manager.nodeGroups.group(group.name)));
}

/** How often the manager looks whether a zonal shift is over, which repairs wait for. */
const zonalShiftPollMs = minutes(1);

/** Unhealthy nodes go through the terminate hook, which drains them, and are replaced; or their machines start anew. */
function repair({ nodeGroups, watches, clock }: GroupManager, group: EksNodeGroup): Recheck {
  const { nodeRepairConfig, resources, rebooted = {} } = group;
  const { autoScaling, ec2, faults } = nodeGroups.deps;
  const scaling = resources && autoScaling.find(resources.groupName);
  if (nodeRepairConfig?.enabled !== true || scaling === undefined) return undefined;
  if (faults.find('zonal-shift').length > 0) return instant(clock.now() + zonalShiftPollMs);
  const ending = new Set(scaling.instances.filter(isEnding).map(({ id }) => id));
  const seen = nodesOf(watches, scaling).map((each) => {
    const rebootedAt = readOwn(rebooted, each.instanceId);
    return { ...each, leaving: ending.has(each.instanceId), ...(rebootedAt !== undefined && { rebootedAt }) };
  });
  const { replace, reboot, recheckAt } = planRepairs(nodeRepairConfig, seen, clock.now());
  for (const instanceId of replace) autoScaling.terminate(instanceId, false);
  if (reboot.length > 0) {
    const made = Object.fromEntries(reboot.map((id) => [id, clock.now()]));
    nodeGroups.keep({ ...nodeGroups.group(group.name), rebooted: { ...rebooted, ...made } });
  }
  for (const instanceId of reboot) ec2.instances.reboot(instanceId);
  return recheckAt;
}
