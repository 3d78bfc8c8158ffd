import { earliest, instant, type Instant } from '@nodewright/apis';
import { eksLimits } from '@nodewright/nodegroups';
import type { AutoScalingGroupRecord, GroupInstance, EksNodeGroup } from '@nodewright/aws-endpoints';
import { isTrue, type Recheck } from '@nodewright/cluster-sim';
import type { GroupManager } from './manager.ts';
import { nodeOfInstance } from './observe.ts';

/**
 * Notes which instances of a quiet group are no ready nodes of it although they have had the time, and forgets it
 * when they are. @returns when the next one's time is over
 */
export function noteLateInstances(
  manager: GroupManager,
  group: EksNodeGroup,
  scaling: AutoScalingGroupRecord,
): Recheck {
  const { clock, nodeGroups } = manager;
  const now = clock.now();
  const pending = scaling.instances.filter((instance) => !hasBeenNode(manager, group, instance));
  const late = pending.filter((instance) => joinDueAt(instance) <= now).map(({ id }) => id);
  const before = group.unjoined ?? [];
  if (late.length !== before.length || late.some((id, at) => id !== before[at])) {
    nodeGroups.keep({ ...nodeGroups.group(group.name), unjoined: late });
  }
  const dues = pending.map(joinDueAt).filter((due) => due > now);
  return earliest(...dues);
}

const joinDueAt = ({ launchedAt }: GroupInstance): Instant => instant(launchedAt + eksLimits.joinMs);

/** A node that falls ill later was one. */
function hasBeenNode({ watches }: GroupManager, { name }: EksNodeGroup, { id, lifecycle }: GroupInstance): boolean {
  const node = nodeOfInstance(watches, id);
  if (lifecycle !== 'InService' || node?.metadata.labels?.['eks.amazonaws.com/nodegroup'] !== name) {
    return lifecycle.startsWith('Terminat');
  }
  const ready = node.status?.conditions?.find(({ type }) => type === 'Ready');
  return isTrue(node.status?.conditions, 'Ready') || ready?.lastTransitionTime !== node.metadata.creationTimestamp;
}
