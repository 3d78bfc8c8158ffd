import { hours, instant, type Instant, seconds } from '@nodewright/apis';
import { type AutoScalingGroupRecord, type GroupInstance, runsProcess } from '../group/group.ts';
import { endedRefresh, failedRefresh } from './ending.ts';
import { type InstanceRefresh, runningRefresh } from '../group/instance-refresh.ts';
import {
  aheadOf,
  endingNow,
  countToCheckpoint,
  isHeldFromRefresh,
  isGroupQuiet,
  isRefreshSettled,
  leftOf,
  readyIn,
  type Refreshing,
  replacedIn,
} from './replacing.ts';

/** What a refresh does next: how it goes on itself, and which instances end now. */
export type RefreshStep = { readonly refresh: InstanceRefresh; readonly end: readonly GroupInstance[] };

type Seen = {
  readonly now: Instant;
  /** The alarms that ring. */
  readonly alarms: readonly string[];
};

/** After this long without progress it fails. */
const refreshStuckAfterMs = hours(1);

/** The next step of the refresh that runs; nothing when there is none. */
export function refreshStep(group: AutoScalingGroupRecord, { now, alarms }: Seen): RefreshStep | undefined {
  const refresh = runningRefresh(group);
  if (refresh === undefined) return undefined;
  const around = { group, refresh, now };
  if (refresh.status === 'Cancelling')
    return only(isGroupQuiet(group) ? endedRefresh(around, 'Cancelled', refresh.reason) : refresh);
  if (!runsProcess(group, 'InstanceRefresh')) return only({ ...refresh, progress: undefined });
  const ringing =
    refresh.rollback === undefined ? refresh.preferences.alarms.find((name) => alarms.includes(name)) : undefined;
  if (ringing !== undefined) return only(failedRefresh(around, `The alarm ${ringing} is in state ALARM.`));
  if (refresh.status === 'Pending') return only({ ...refresh, status: 'InProgress' });
  return refresh.status === 'Baking' ? only(baked(around)) : replacing(around);
}

const only = (refresh: InstanceRefresh): RefreshStep => ({ refresh, end: [] });

function baked(around: Refreshing): InstanceRefresh {
  const { refresh, now } = around;
  return now < (refresh.bakesUntil ?? now) ? refresh : endedRefresh(around, 'Successful');
}

function replacing(around: Refreshing): RefreshStep {
  const { refresh } = around;
  if (replacedIn(around) >= countToCheckpoint(refresh) && isRefreshSettled(around)) return only(atCheckpoint(around));
  const end = endingNow(around);
  const watched = withProgress(around);
  if (end.length === 0 && isRefreshStuck({ ...around, refresh: watched }))
    return only(failedRefresh(around, whyStuck(around)));
  return { refresh: watched, end };
}

function atCheckpoint(around: Refreshing): InstanceRefresh {
  const { now } = around;
  const { progress: _passed, ...refresh } = around.refresh;
  const { checkpoints, checkpointDelaySeconds } = refresh.preferences;
  if (refresh.passed >= checkpoints.length - 1) return completeReplacement({ ...around, refresh });
  if (refresh.restsUntil === undefined)
    return { ...refresh, restsUntil: instant(now + seconds(checkpointDelaySeconds)) };
  return refresh.restsUntil > now ? refresh : { ...refresh, restsUntil: undefined, passed: refresh.passed + 1 };
}

function completeReplacement(around: Refreshing): InstanceRefresh {
  const { refresh, now } = around;
  if (refresh.rollback !== undefined) return endedRefresh(around, 'RollbackSuccessful', refresh.rollback.reason);
  const { bakeSeconds } = refresh.preferences;
  if (bakeSeconds === 0) return endedRefresh(around, 'Successful');
  return { ...refresh, status: 'Baking', bakesUntil: instant(now + seconds(bakeSeconds)) };
}

function withProgress(around: Refreshing): InstanceRefresh {
  const { refresh, now } = around;
  const [left, ready] = [leftOf(around).length, readyIn(around)];
  if (refresh.progress?.left === left && refresh.progress.ready === ready) return refresh;
  return { ...refresh, progress: { left, ready, at: now } };
}

const isRefreshStuck = ({ refresh, now }: Refreshing): boolean =>
  refresh.progress !== undefined &&
  now - refresh.progress.at >= refreshStuckAfterMs + seconds(refresh.preferences.warmupSeconds);

function whyStuck(around: Refreshing): string {
  const held = leftOf(around)
    .filter((each) => isHeldFromRefresh(each, around.refresh))
    .map(({ id }) => id);
  if (held.length > 0) return `Waited an hour for ${held.join(', ')}: protected from scale-in or in standby.`;
  return 'No instance could be replaced for an hour; the activities of the group say why.';
}

/** Instances above the desired capacity, which are there before those go that they replace. */
export function countRefreshSurge(group: AutoScalingGroupRecord, now: Instant): number {
  const refresh = runningRefresh(group);
  if (refresh === undefined || refresh.restsUntil !== undefined || !runsProcess(group, 'InstanceRefresh')) return 0;
  if (refresh.status !== 'InProgress' && refresh.status !== 'RollbackInProgress') return 0;
  return aheadOf({ group, refresh, now });
}

/** When the group has to be looked at because of its refresh. */
export function refreshLooksAgain(
  group: AutoScalingGroupRecord,
  { now, soonMs }: { now: Instant; soonMs: number },
): number | undefined {
  const refresh = runningRefresh(group);
  if (refresh === undefined || !runsProcess(group, 'InstanceRefresh')) return undefined;
  const until = refresh.preferences.alarms.length > 0 ? undefined : (refresh.restsUntil ?? refresh.bakesUntil);
  return until === undefined ? soonMs : Math.max(soonMs, until - now);
}
