import { byNumberOf, type Instant } from '@nodewright/apis';
import { type AutoScalingGroupRecord, runsProcess } from './group/group.ts';
import { findNextRun, type ScheduledAction } from './group/scheduled-action.ts';

/** When the next action of the group is due. */
export const findNextActionTime = ({ schedule = [] }: Pick<AutoScalingGroupRecord, 'schedule'>): Instant | undefined =>
  schedule.map(({ nextAt }) => nextAt).toSorted(byNumberOf((at) => at))[0];

/** Gives the group the sizes of the actions that are due. An action that does not recur, or has ended, is gone afterwards. */
export function applyDueActions(group: AutoScalingGroupRecord, now: Instant): AutoScalingGroupRecord {
  const { schedule = [] } = group;
  const due = schedule.filter(({ nextAt }) => nextAt <= now).toSorted(byNumberOf(({ nextAt }) => nextAt));
  if (due.length === 0) return group;
  const sized = runsProcess(group, 'ScheduledActions') ? due.reduce(resizeGroup, group) : group;
  return { ...sized, schedule: schedule.flatMap((action) => advanceAction(action, now) ?? []) };
}

/** What an action does not name stays, as far as it fits. */
function resizeGroup(group: AutoScalingGroupRecord, action: ScheduledAction): AutoScalingGroupRecord {
  const min = action.min ?? Math.min(group.min, action.max ?? group.max);
  const max = Math.max(min, action.max ?? group.max);
  const desired = Math.min(max, Math.max(min, action.desired ?? group.desired));
  return { ...group, min, max, desired };
}

function advanceAction(action: ScheduledAction, now: Instant): ScheduledAction | undefined {
  if (action.nextAt > now) return action;
  const nextAt = findNextRun(action, now);
  return nextAt === undefined || nextAt > (action.endAt ?? Infinity) ? undefined : { ...action, nextAt };
}
