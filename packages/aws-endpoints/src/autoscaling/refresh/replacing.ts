import { type Instant, seconds } from '@nodewright/apis';
import { activeOf, type AutoScalingGroupRecord, type GroupInstance, isEnding, isStandby } from '../group/group.ts';
import type { InstanceRefresh, RefreshCount } from '../group/instance-refresh.ts';

/** A group under a refresh, at an instant. */
export type Refreshing = {
  readonly group: AutoScalingGroupRecord;
  readonly refresh: InstanceRefresh;
  readonly now: Instant;
};

/** How many of the instances are to be replaced at the next checkpoint. */
export function countToCheckpoint({ preferences, passed, toReplace }: InstanceRefresh): number {
  const percentage = preferences.checkpoints[passed] ?? 100;
  return Math.ceil((toReplace.length * percentage) / 100);
}

/** Those still to be replaced, in the order of the group. */
export const leftOf = ({ group, refresh }: Refreshing): readonly GroupInstance[] =>
  group.instances.filter((each) => !isEnding(each) && refresh.toReplace.includes(each.id));

export const replacedIn = (around: Refreshing): number => around.refresh.toReplace.length - leftOf(around).length;

/** Returns whether a user has to act before the instance can be replaced: remove its protection or return it to service. */
export const isHeldFromRefresh = (instance: GroupInstance, { preferences }: InstanceRefresh): boolean =>
  isStandby(instance)
    ? preferences.standbyInstances !== 'Terminate'
    : instance.protected && preferences.protectedInstances !== 'Refresh';

/** Which instances end now: those in standby cost no capacity, of the others as many as the preferences let go. */
export function endingNow(around: Refreshing): readonly GroupInstance[] {
  const free = leftOf(around).filter((each) => !isHeldFromRefresh(each, around.refresh));
  const idle = free.filter(isStandby);
  const serving = free.filter((each) => !isStandby(each)).slice(0, endable(around));
  return [...idle, ...serving].slice(0, Math.max(0, countToCheckpoint(around.refresh) - replacedIn(around)));
}

/** Instances above the desired capacity, which are there before those go that they replace. */
export function aheadOf(around: Refreshing): number {
  const serving = leftOf(around).filter((each) => !isHeldFromRefresh(each, around.refresh) && !isStandby(each)).length;
  return Math.min(extraOf(around), serving, Math.max(0, countToCheckpoint(around.refresh) - replacedIn(around)));
}

function extraOf({ group: { desired }, refresh }: Refreshing): number {
  const { maxHealthy } = refresh.preferences;
  if (maxHealthy === undefined) return 0;
  const extra = Math.floor((desired * (maxHealthy - 100)) / 100);
  return maxHealthy > 100 || spareOf(desired, refresh) === 0 ? Math.max(1, extra) : extra;
}

const spareOf = (desired: number, { preferences }: InstanceRefresh): number =>
  desired - Math.ceil((desired * preferences.minHealthy) / 100);

/** How many may end now: one at a time at least, where none comes before. */
function endable(around: Refreshing): number {
  const { desired } = around.group;
  const spare = spareOf(desired, around.refresh);
  const below = extraOf(around) > 0 ? spare : Math.max(1, spare);
  return Math.max(0, readyIn(around) - (desired - below));
}

/** Old instances count while they are in service, new ones once they are warm. */
export const readyIn = (around: Refreshing): number =>
  activeOf(around.group).filter(
    (each) => each.lifecycle === 'InService' && (around.refresh.toReplace.includes(each.id) || isWarm(each, around)),
  ).length;

function isWarm({ activityId, launchedAt }: GroupInstance, { group, refresh, now }: Refreshing): boolean {
  if (launchedAt < (refresh.rollback?.startedAt ?? refresh.startedAt)) return true;
  const inService = group.activities.find(({ id }) => id === activityId)?.endedAt ?? launchedAt;
  return now >= inService + seconds(refresh.preferences.warmupSeconds);
}

/** Whether as many serve as are wanted, and none comes or goes. */
export const isRefreshSettled = (around: Refreshing): boolean =>
  readyIn(around) >= around.group.desired && isGroupQuiet(around.group);

export const isGroupQuiet = ({ instances }: AutoScalingGroupRecord): boolean =>
  instances.every((each) => each.lifecycle === 'InService' || isStandby(each));

/** An instance is replaced once another one is warm. */
export function countRefreshed(around: Refreshing): RefreshCount {
  const all = around.refresh.toReplace.length;
  const coming = Math.max(0, around.group.desired - readyIn(around));
  const done = Math.max(0, replacedIn(around) - coming);
  const left = all - done;
  return { percentage: all === 0 ? 100 : Math.floor((done * 100) / all), left };
}
