import { instant, type Instant } from '@nodewright/apis';
import { activeOf, type Group, type GroupInstance, type InstanceRefresh, runningRefresh, runs } from './group.ts';

/** What a refresh does next: how it goes on itself, and which instances end now. */
export type RefreshStep = { readonly refresh: InstanceRefresh; readonly end: readonly GroupInstance[] };

/** The next step of the refresh that runs, which nobody suspended; nothing when there is none. */
export function refreshStep(group: Group, now: Instant): RefreshStep | undefined {
  const refresh = runningRefresh(group);
  if (refresh === undefined || !runs(group, 'InstanceRefresh')) return undefined;
  const goal = goalOf(refresh);
  const left = leftOf(group, refresh);
  const replaced = refresh.toReplace.length - left.length;
  if (replaced < goal) return { refresh, end: left.slice(0, Math.min(goal - replaced, endable(group, refresh, now))) };
  if (!isSettled(group, refresh, now)) return { refresh, end: [] };
  return { refresh: atCheckpoint(refresh, now), end: [] };
}

/** Instances above the desired capacity, which are there before those go that they replace. */
export function surgeOf(group: Group): number {
  const refresh = runningRefresh(group);
  if (refresh === undefined || refresh.restsUntil !== undefined || !runs(group, 'InstanceRefresh')) return 0;
  const left = leftOf(group, refresh).length;
  const toGo = goalOf(refresh) - (refresh.toReplace.length - left);
  return Math.min(extraOf(group, refresh), Math.max(0, toGo));
}

/** When the group has to be looked at because of its refresh. */
export function refreshLooksAgain(group: Group, { now, soonMs }: { now: Instant; soonMs: number }): number | undefined {
  const refresh = runningRefresh(group);
  if (refresh === undefined || !runs(group, 'InstanceRefresh')) return undefined;
  return refresh.restsUntil === undefined ? soonMs : Math.max(soonMs, refresh.restsUntil - now);
}

/** How many of the instances are to be replaced at the next checkpoint. */
function goalOf({ preferences, passed, toReplace }: InstanceRefresh): number {
  const percentage = preferences.checkpoints[passed] ?? 100;
  return Math.ceil((toReplace.length * percentage) / 100);
}

/** Those still to be replaced, in the order of the group. */
const leftOf = (group: Group, { toReplace }: InstanceRefresh): readonly GroupInstance[] =>
  activeOf(group).filter(({ id }) => toReplace.includes(id));

const extraOf = ({ desired }: Group, { preferences }: InstanceRefresh): number =>
  preferences.maxHealthy > 100 ? Math.max(1, Math.floor((desired * (preferences.maxHealthy - 100)) / 100)) : 0;

/** How many may end now: one at a time at least, where none comes before. */
function endable(group: Group, refresh: InstanceRefresh, now: Instant): number {
  const spare = group.desired - Math.ceil((group.desired * refresh.preferences.minHealthy) / 100);
  const below = extraOf(group, refresh) > 0 ? spare : Math.max(1, spare);
  return Math.max(0, readyIn(group, refresh, now) - (group.desired - below));
}

/** Old instances count while they are in service, new ones once they are warm. */
const readyIn = (group: Group, refresh: InstanceRefresh, now: Instant): number =>
  group.instances.filter(
    (each) =>
      each.lifecycle === 'InService' && (refresh.toReplace.includes(each.id) || isWarm(each, { group, refresh, now })),
  ).length;

type Around = { readonly group: Group; readonly refresh: InstanceRefresh; readonly now: Instant };

function isWarm({ activityId, launchedAt }: GroupInstance, { group, refresh, now }: Around): boolean {
  if (launchedAt < refresh.startedAt) return true;
  const inService = group.activities.find(({ id }) => id === activityId)?.endedAt ?? launchedAt;
  return now >= inService + refresh.preferences.warmupSeconds * 1000;
}

const isSettled = (group: Group, refresh: InstanceRefresh, now: Instant): boolean =>
  readyIn(group, refresh, now) >= group.desired && group.instances.every(({ lifecycle }) => lifecycle === 'InService');

function atCheckpoint(refresh: InstanceRefresh, now: Instant): InstanceRefresh {
  const { checkpoints, checkpointDelaySeconds } = refresh.preferences;
  if (refresh.passed >= checkpoints.length - 1) return { ...refresh, status: 'Successful', endedAt: now };
  if (refresh.restsUntil === undefined) return { ...refresh, restsUntil: instant(now + checkpointDelaySeconds * 1000) };
  return refresh.restsUntil > now ? refresh : { ...refresh, restsUntil: undefined, passed: refresh.passed + 1 };
}
