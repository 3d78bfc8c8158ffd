import { type Instant, instant, readOwn } from '@nodewright/apis';
import { type NodeGroup, softwareLabels, issuesOf } from '@nodewright/aws-endpoints';
import type { Recheck } from '@nodewright/cluster-sim';
import type { Manager } from './manager.ts';
import { observe } from './observe.ts';

const minute = 60_000;
const givesUpAfterMs = 20 * minute;
const pollMs = 10_000;

/** A new group is active once all of its nodes have joined, and has failed when they have not in time. */
export function advanceCreation({ nodeGroups, watches, clock }: Manager, group: NodeGroup): Recheck {
  const due = instant(group.createdAt + givesUpAfterMs);
  const scaling = group.resources && nodeGroups.deps.autoScaling.find(group.resources.groupName);
  const change = (status: NodeGroup['status']): undefined => {
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
  return clock.now() >= due ? change('CREATE_FAILED') : earlier(due, instant(clock.now() + pollMs));
}

/** Size zero, every node drained, then the Auto Scaling group, and the managed one last. */
export function advanceDeletion({ nodeGroups, clock }: Manager, group: NodeGroup): Recheck {
  const { autoScaling } = nodeGroups.deps;
  const scaling = group.resources && autoScaling.find(group.resources.groupName);
  if (scaling === undefined) {
    if (cannotBeRemoved(nodeGroups, group))
      nodeGroups.keep({ ...group, status: 'DELETE_FAILED', modifiedAt: clock.now() });
    else nodeGroups.remove(group.name);
    return undefined;
  }
  if (!scaling.deleting) autoScaling.remove(scaling.name);
  return instant(clock.now() + pollMs);
}

/** A security group or a template that EKS could not delete keeps the whole. */
const cannotBeRemoved = ({ deps }: Manager['nodeGroups'], group: NodeGroup): boolean =>
  issuesOf(group, deps).some(({ code }) => code?.endsWith('DeletionFailure') ?? false);

const earlier = (a: Instant, b: Instant): Instant => (a < b ? a : b);
