import type { Instant } from '@nodewright/apis';
import type { AutoScalingDeps } from './deps.ts';
import {
  type Activity,
  activeOf,
  type AutoScalingGroupRecord,
  type GroupInstance,
  isEnding,
  runsProcess,
} from './group/group.ts';
import { announceLifecycleAction } from './hook-messages.ts';
import { enterHooks, listHooks, type Side, timedOut, waitFor } from './hook-waits.ts';
import { launchIn } from './launching.ts';
import { asLaunching, runningRefresh, withRefresh } from './group/instance-refresh.ts';
import { isGroupQuiet } from './refresh/replacing.ts';
import { refreshLooksAgain, refreshStep, countRefreshSurge } from './refresh/step.ts';
import { isReused, takeWarm, tendPool } from './warm-pool.ts';
import { isUnbalanced, nextToEnd, zonesToFill } from './group/termination-policy.ts';

const convergeSecondMs = 1000;
/** While instances are on their way, and after a launch that EC2 refused. */
const movingCheckMs = 5 * convergeSecondMs;
const afterRefusalMs = 60 * convergeSecondMs;
const rebalanceEveryMs = 5 * 60 * convergeSecondMs;
const rememberedActivities = 200;

/** @property again in how many milliseconds to look again; nothing when only a change matters */
export type Converged = { readonly group: AutoScalingGroupRecord; readonly again?: number };

/** One step of a group towards its desired capacity, by what EC2 says of its instances now. */
export function convergeGroup(before: AutoScalingGroupRecord, deps: AutoScalingDeps): Converged {
  const moved = moveInstances(before, deps);
  const shrunk = endSurplus(replaceAtRisk(advanceRefresh(moved, deps), deps), deps);
  const { group, refused } = launchMissing(moveInstances(shrunk, deps), deps);
  const balanced = tendPool(refused ? group : rebalance(group, deps), deps);
  return { group: balanced, ...whenAgain(balanced, { refused, deps }) };
}

type ConvergeStep = { readonly refused: boolean; readonly deps: AutoScalingDeps };

function whenAgain(group: AutoScalingGroupRecord, { refused, deps }: ConvergeStep): Pick<Converged, 'again'> {
  const isMoving =
    !isGroupQuiet(group) || (group.warm?.some(({ lifecycle }) => lifecycle === 'Warmed:Pending') ?? false);
  if (isMoving || atRisk(group, deps).length > 0 || (canResize(group) && !refused)) return { again: movingCheckMs };
  if (refused) return { again: afterRefusalMs };
  const refresh = refreshLooksAgain(group, { now: deps.clock.now(), soonMs: movingCheckMs });
  if (refresh !== undefined) return { again: refresh };
  return isUnbalanced(group) && runsProcess(group, 'AZRebalance') ? { again: rebalanceEveryMs } : {};
}

const isOffDesired = (group: AutoScalingGroupRecord): boolean => activeOf(group).length !== group.desired;

/** Whether the group may do something about its size. */
function canResize(group: AutoScalingGroupRecord): boolean {
  const difference = activeOf(group).length - group.desired;
  return (difference < 0 && runsProcess(group, 'Launch')) || (difference > 0 && runsProcess(group, 'Terminate'));
}

/** Every instance one or more states further, as far as EC2 and the hooks let it. */
function moveInstances(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  let activities = group.activities;
  const instances = group.instances.flatMap((instance) => {
    const moved = moveOne(instance, group, deps);
    if (moved?.lifecycle === 'InService' && instance.lifecycle !== 'InService')
      activities = endActivity(activities, instance, deps);
    if (moved === undefined) activities = endActivity(activities, instance, deps);
    return moved ?? [];
  });
  const same =
    instances.length === group.instances.length && instances.every((each, at) => each === group.instances[at]);
  return same ? group : { ...group, instances, activities };
}

/** @returns nothing once it is gone */
function moveOne(
  instance: GroupInstance,
  group: AutoScalingGroupRecord,
  deps: AutoScalingDeps,
): GroupInstance | undefined {
  const state = deps.ec2.instances.get(instance.id)?.state ?? 'terminated';
  if (state === 'terminated') return undefined;
  if (state === 'stopping' || state === 'stopped') return stopped(instance);
  if (state === 'shutting-down')
    return isEnding(instance) ? instance : { ...instance, healthy: false, lifecycle: 'Terminating:Proceed' };
  switch (instance.lifecycle) {
    case 'Pending':
      return state === 'running' ? atHooks(instance, 'Pending', group, deps) : instance;
    case 'Terminating':
      return moveOne(atHooks(instance, 'Terminating', group, deps), group, deps);
    case 'Pending:Wait':
    case 'Terminating:Wait':
      return goneOn(instance, group, deps);
    case 'Pending:Proceed':
      return { ...instance, lifecycle: 'InService' };
    case 'Terminating:Proceed':
      if (isReused(group, instance, deps)) deps.ec2.instances.stop(instance.id);
      else deps.ec2.instances.terminate(instance.id);
      return instance;
    default:
      return instance;
  }
}

/** A stopped instance cannot serve the group. */
const stopped = (instance: GroupInstance): GroupInstance =>
  isEnding(instance) ? instance : { ...instance, healthy: false, lifecycle: 'Terminating' };

function goneOn(
  instance: GroupInstance,
  group: AutoScalingGroupRecord,
  deps: AutoScalingDeps,
): GroupInstance | undefined {
  const next = timedOut(instance, group, deps.clock.now());
  return next.lifecycle === instance.lifecycle ? next : moveOne(next, group, deps);
}

/** Starts the lifecycle actions of the transition, and waits until they are completed. */
function atHooks(
  instance: GroupInstance,
  side: Side,
  group: AutoScalingGroupRecord,
  deps: AutoScalingDeps,
): GroupInstance {
  const waits = listHooks(group, side).map((hook) => {
    const wait = waitFor(hook, { token: deps.random.uuid(), now: deps.clock.now() });
    announceLifecycleAction({ group, instance, hook, wait }, deps);
    return wait;
  });
  return enterHooks(instance, side, waits);
}

/** Active instances that EC2 may reclaim soon, of a group that gets ahead of it. */
function atRisk(group: AutoScalingGroupRecord, { ec2 }: AutoScalingDeps): readonly GroupInstance[] {
  if (!group.capacityRebalance) return [];
  const warned = ec2.faults.find('rebalance-recommendation').map(({ instanceId }) => instanceId);
  return activeOf(group).filter(({ id }) => warned.includes(id));
}

/** One more for each instance at risk, until its replacement is there, and what a refresh launches ahead. */
const countWantedInstances = (group: AutoScalingGroupRecord, deps: AutoScalingDeps): number =>
  group.desired + atRisk(group, deps).length + countRefreshSurge(group, deps.clock.now());

/** Ends an instance at risk once there are enough others in service. */
function replaceAtRisk(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  const risky = atRisk(group, deps);
  const [next] = risky;
  const others = activeOf(group).filter((each) => each.lifecycle === 'InService' && !risky.includes(each));
  if (next === undefined || others.length < group.desired - risky.length + 1) return group;
  return startTermination(group, next, 'an EC2 instance rebalance recommendation', deps);
}

function endSurplus(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  let current = group;
  while (activeOf(current).length > countWantedInstances(current, deps) && runsProcess(current, 'Terminate')) {
    const victim = nextToEnd(current);
    if (victim === undefined) return current;
    current = startTermination(
      current,
      victim,
      `a difference between desired and actual capacity shrinking the capacity from ${activeOf(current).length} to ${current.desired}`,
      deps,
    );
  }
  return current;
}

function startTermination(
  group: AutoScalingGroupRecord,
  victim: GroupInstance,
  because: string,
  deps: AutoScalingDeps,
): AutoScalingGroupRecord {
  const activity = startActivity(`Terminating EC2 instance: ${victim.id}`, because, deps);
  const instances = group.instances.map((each) =>
    each.id === victim.id ? { ...each, lifecycle: 'Terminating' as const, activityId: activity.id } : each,
  );
  return { ...group, instances, activities: remember(group.activities, activity) };
}

function launchMissing(
  before: AutoScalingGroupRecord,
  deps: AutoScalingDeps,
): { readonly group: AutoScalingGroupRecord; readonly refused: boolean } {
  let group = before;
  while (activeOf(group).length < countWantedInstances(group, deps) && runsProcess(group, 'Launch')) {
    const launched = launchOne(group, deps);
    group = launched.group;
    if (launched.refused) return launched;
  }
  return { group, refused: false };
}

/** In the emptiest zone that has room for it. */
function launchOne(group: AutoScalingGroupRecord, deps: AutoScalingDeps, zones = zonesToFill(group)) {
  const cause = `an instance was started in response to a difference between desired and actual capacity, increasing the capacity from ${activeOf(group).length} to ${group.desired}`;
  const warm = takeWarm(group, deps);
  if (warm !== undefined) {
    const activity = startActivity(`Launching a new EC2 instance from warm pool: ${warm.taken.id}`, cause, deps);
    const taken = { ...warm.taken, activityId: activity.id };
    const activities = remember(group.activities, activity);
    return { group: { ...warm.group, instances: [...group.instances, taken], activities }, refused: false };
  }
  let message = 'The group has no subnet.';
  for (const zone of zones) {
    const result = launchIn(zone, asLaunching(group), deps);
    if ('instance' in result) {
      const activity = startActivity(`Launching a new EC2 instance: ${result.instance.id}`, cause, deps);
      const { id, settings, launchedAt } = result.instance;
      const lifecycle = 'Pending' as const;
      const { template } = result;
      const added = {
        id,
        instanceType: settings.instanceType,
        zone,
        lifecycle,
        healthy: true,
        protected: group.protectNew,
        template,
        launchedAt,
        activityId: activity.id,
      };
      return {
        group: { ...group, instances: [...group.instances, added], activities: remember(group.activities, activity) },
        refused: false,
      };
    }
    message = `${result.refusal.message} Launching EC2 instance failed.`;
  }
  const failed = {
    ...startActivity('Launching a new EC2 instance.', cause, deps),
    status: 'Failed' as const,
    message,
    endedAt: deps.clock.now(),
  };
  return { group: { ...group, activities: remember(group.activities, failed) }, refused: true };
}

/** Launches in the emptiest zone first; the surplus then ends in the fullest one. */
function rebalance(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  const quiet = isGroupQuiet(group) && !isOffDesired(group);
  if (!quiet || !isUnbalanced(group) || !runsProcess(group, 'AZRebalance') || !runsProcess(group, 'Launch'))
    return group;
  const [emptiest] = zonesToFill(group);
  return launchOne(group, deps, emptiest === undefined ? [] : [emptiest]).group;
}

/** A refresh ends as many of the instances it began with as its preferences let it, and leaves the group what it wants. */
function advanceRefresh(group: AutoScalingGroupRecord, deps: AutoScalingDeps): AutoScalingGroupRecord {
  const alarms = deps.ec2.faults.find('alarm').map(({ name }) => name);
  const step = refreshStep(group, { now: deps.clock.now(), alarms });
  if (step === undefined) return group;
  const { refresh, end } = step;
  const done = refresh.status === 'Successful' ? refresh.wanted : undefined;
  const changed = { ...group, ...done, refreshes: withRefresh(group, refresh) };
  const before = refresh === runningRefresh(group) ? group : changed;
  return end.reduce((current, victim) => startTermination(current, victim, 'an instance refresh', deps), before);
}

function startActivity(description: string, because: string, { clock, random }: AutoScalingDeps): Activity {
  const startedAt = clock.now();
  return {
    id: random.uuid(),
    description,
    cause: `At ${formatCauseTime(startedAt)} ${because}.`,
    startedAt,
    status: 'InProgress',
  };
}

const formatCauseTime = (time: Instant): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const remember = (activities: readonly Activity[], activity: Activity): readonly Activity[] =>
  [activity, ...activities].slice(0, rememberedActivities);

const endActivity = (
  activities: readonly Activity[],
  { activityId }: GroupInstance,
  { clock }: AutoScalingDeps,
): readonly Activity[] =>
  activities.map((activity) =>
    activity.id === activityId && activity.endedAt === undefined
      ? { ...activity, status: 'Successful' as const, endedAt: clock.now() }
      : activity,
  );
