import { instant, type Instant, minutes, readOwn, seconds } from '@nodewright/apis';
import { type EksNodeGroup, softwareLabels, listGroupIssues } from '@nodewright/aws-endpoints';
import type { Recheck } from '@nodewright/cluster-sim';
import type { GroupManager } from './manager.ts';
import { observe } from './observe.ts';

const givesUpAfterMs = minutes(20);
const lifecyclePollMs = seconds(10);

/** A new group is active once all of its nodes have joined, and has failed when they have not in time. */
export function advanceCreation({ nodeGroups, watches, clock }: GroupManager, group: EksNodeGroup): Recheck {
  const due = instant(group.createdAt + givesUpAfterMs);
  const scaling = group.resources && nodeGroups.deps.autoScaling.find(group.resources.groupName);
  const change = (status: EksNodeGroup['status']): undefined => {
    nodeGroups.keep({ ...nodeGroups.group(group.name), status, modifiedAt: clock.now() });
  };
  if (scaling !== undefined && group.resources !== undefined) {
    const wanted = Object.entries(softwareLabels(group, group));
    const { nodes } = observe(watches, scaling, group.resources);
    const joined = nodes.filter(
      ({ ready, labels }) => ready && wanted.every(([key, value]) => readOwn(labels, key) === value),
    );
    if (joined.length >= group.scaling.desired) return change('ACTIVE');
  }
  return clock.now() >= due ? change('CREATE_FAILED') : earlierOf(due, instant(clock.now() + lifecyclePollMs));
}

/** Size zero, every node drained, then the Auto Scaling group, and the managed one last. */
export function advanceDeletion({ nodeGroups, clock }: GroupManager, group: EksNodeGroup): Recheck {
  const { autoScaling } = nodeGroups.deps;
  const scaling = group.resources && autoScaling.find(group.resources.groupName);
  if (scaling === undefined) {
    if (cannotBeRemoved(nodeGroups, group))
      nodeGroups.keep({ ...group, status: 'DELETE_FAILED', modifiedAt: clock.now() });
    else nodeGroups.remove(group.name);
    return undefined;
  }
  if (!scaling.deleting) autoScaling.remove(scaling.name);
  return instant(clock.now() + lifecyclePollMs);
}

/** A security group or a template that EKS could not delete keeps the whole. */
const cannotBeRemoved = ({ deps }: GroupManager['nodeGroups'], group: EksNodeGroup): boolean =>
  listGroupIssues(group, deps).some(({ code }) => code?.endsWith('DeletionFailure') ?? false);

const earlierOf = (a: Instant, b: Instant): Instant => (a < b ? a : b);
