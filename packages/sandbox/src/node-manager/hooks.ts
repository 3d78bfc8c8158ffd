import { instant, type Instant, minutes, readOwn, seconds } from '@nodewright/apis';
import { eksLimits } from '@nodewright/nodegroups';
import {
  type AutoScalingGroupRecord,
  type GroupInstance,
  type HookWait,
  isOwnHook,
  type EksNodeGroup,
} from '@nodewright/aws-endpoints';
import { isTrue, type Recheck } from '@nodewright/cluster-sim';
import { requestEviction } from './evict.ts';
import type { GroupManager } from './manager.ts';
import { nodeOfInstance, podsToEvict } from './observe.ts';
import { setUnschedulable } from './update-mark.ts';

/** Pods of a group that is deleted get less time. */
const deletionDrainMs = minutes(5);
const hookRetryMs = seconds(15);

/**
 * Completes the hooks of new instances, and drains instances that leave until their time limit, which budgets do not
 * extend. While EKS has no access to the cluster the hooks get no answer and time out.
 */
export async function answerHooks(
  manager: GroupManager,
  group: EksNodeGroup,
  scaling: AutoScalingGroupRecord,
): Promise<Recheck> {
  const waiting = scaling.instances.filter((instance) => ownWait(instance) !== undefined);
  let next: Recheck;
  const canDrain = manager.nodeGroups.deps.access() === 'granted';
  for (const instance of waiting) {
    const isDone =
      instance.lifecycle === 'Pending:Wait'
        ? mayServe(manager, scaling, instance)
        : canDrain && (await isDrained(manager, group, instance));
    if (isDone) completeHook(manager, scaling.name, instance);
    else next = instant(manager.clock.now() + hookRetryMs);
  }
  forget(manager, group.name, scaling.name);
  return next;
}

/** Where others end because an instance is there, it has to be a ready node first. */
function mayServe(
  { watches }: GroupManager,
  { capacityRebalance }: AutoScalingGroupRecord,
  { id }: GroupInstance,
): boolean {
  return !capacityRebalance || isTrue(nodeOfInstance(watches, id)?.status?.conditions, 'Ready');
}

function completeHook({ nodeGroups }: GroupManager, name: string, instance: GroupInstance): void {
  const { autoScaling } = nodeGroups.deps;
  const wait = ownWait(instance);
  const now = autoScaling.find(name)?.instances.find(({ id }) => id === instance.id);
  if (wait === undefined || now?.waits?.every(({ token }) => token !== wait.token) !== false) return;
  autoScaling.completeAction(name, { hook: wait.hook, instanceId: instance.id }, 'CONTINUE');
}

/** Hooks of customers are answered by the customers. */
const ownWait = ({ waits }: GroupInstance): HookWait | undefined => waits?.find(({ hook }) => isOwnHook(hook));

async function isDrained(manager: GroupManager, group: EksNodeGroup, { id }: GroupInstance): Promise<boolean> {
  const { watches, client, clock, nodeGroups } = manager;
  const found = nodeOfInstance(watches, id);
  if (found === undefined) return true;
  const node = found.metadata.name;
  const since = beginHook(manager, group.name, id);
  const limitMs = group.status === 'DELETING' ? deletionDrainMs : eksLimits.drainMs;
  const left = podsToEvict(watches, node);
  if (found.spec?.unschedulable !== true) await setUnschedulable(client, node, true);
  if (left.length === 0) return drainedInTime(nodeGroups, group.name);
  if (clock.now() >= since + limitMs) {
    // What a version update shrinks by is its own affair.
    if (group.status === 'ACTIVE')
      nodeGroups.keep({ ...nodeGroups.group(group.name), unevicted: { node, at: clock.now() } });
    return true;
  }
  for (const { metadata } of left.filter((pod) => pod.metadata.deletionTimestamp === undefined)) {
    await requestEviction(client, { namespace: metadata.namespace ?? '', name: metadata.name });
  }
  return false;
}

function drainedInTime(nodeGroups: GroupManager['nodeGroups'], name: string): true {
  const { unevicted, ...group } = nodeGroups.group(name);
  if (unevicted !== undefined) nodeGroups.keep(group);
  return true;
}

function beginHook({ nodeGroups, clock }: GroupManager, name: string, instanceId: string): Instant {
  const group = nodeGroups.group(name);
  const since = readOwn(group.draining, instanceId) ?? clock.now();
  if (readOwn(group.draining, instanceId) === undefined) {
    nodeGroups.keep({ ...group, draining: { ...group.draining, [instanceId]: since } });
  }
  return since;
}

/** Forgets instances that are gone. */
function forget({ nodeGroups }: GroupManager, name: string, scalingName: string): void {
  const group = nodeGroups.group(name);
  const here = new Set(nodeGroups.deps.autoScaling.find(scalingName)?.instances.map(({ id }) => id));
  const kept = Object.entries(group.draining).filter(([id]) => here.has(id));
  if (kept.length === Object.keys(group.draining).length) return;
  nodeGroups.keep({ ...group, draining: Object.fromEntries(kept) });
}
