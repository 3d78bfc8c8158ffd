import type { Instant } from '@nodewright/apis';
import type { AutoScalingDeps } from './deps.ts';
import { type Activity, activeOf, type Group, type GroupInstance, isEnding, runs } from './group.ts';
import { announce } from './hook-messages.ts';
import { entered, hooksOf, type Side, timedOut, waitFor } from './hook-waits.ts';
import { launchIn } from './launching.ts';
import { asLaunching, runningRefresh, withRefresh } from './refresh/refresh.ts';
import { isQuiet } from './refresh/replacing.ts';
import { refreshLooksAgain, refreshStep, surgeOf } from './refresh/step.ts';
import { isReused, takeWarm, tendPool } from './warm-pool.ts';
import { isUnbalanced, nextToEnd, zonesToFill } from './termination-policy.ts';

const second = 1000;
/** While instances are on their way, and after a launch that EC2 refused. */
const soonMs = 5 * second;
const afterRefusalMs = 60 * second;
const rebalanceEveryMs = 5 * 60 * second;
const rememberedActivities = 200;

/** @property again in how many milliseconds to look again; nothing when only a change matters */
export type Converged = { readonly group: Group; readonly again?: number };

/** One step of a group towards its desired capacity, by what EC2 says of its instances now. */
export function converge(before: Group, deps: AutoScalingDeps): Converged {
  const moved = moveInstances(before, deps);
  const shrunk = endSurplus(replaceAtRisk(refreshed(moved, deps), deps), deps);
  const { group, refused } = launchMissing(moveInstances(shrunk, deps), deps);
  const balanced = tendPool(refused ? group : rebalance(group, deps), deps);
  return { group: balanced, ...whenAgain(balanced, { refused, deps }) };
}

type Step = { readonly refused: boolean; readonly deps: AutoScalingDeps };

function whenAgain(group: Group, { refused, deps }: Step): Pick<Converged, 'again'> {
  const isMoving = !isQuiet(group) || (group.warm?.some(({ lifecycle }) => lifecycle === 'Warmed:Pending') ?? false);
  if (isMoving || atRisk(group, deps).length > 0 || (isOff(group) && !refused)) return { again: soonMs };
  if (refused) return { again: afterRefusalMs };
  const refresh = refreshLooksAgain(group, { now: deps.clock.now(), soonMs });
  if (refresh !== undefined) return { again: refresh };
  return isUnbalanced(group) && runs(group, 'AZRebalance') ? { again: rebalanceEveryMs } : {};
}

const isShort = (group: Group): boolean => activeOf(group).length !== group.desired;

/** Whether the group may do something about its size. */
function isOff(group: Group): boolean {
  const difference = activeOf(group).length - group.desired;
  return (difference < 0 && runs(group, 'Launch')) || (difference > 0 && runs(group, 'Terminate'));
}

/** Every instance one or more states further, as far as EC2 and the hooks let it. */
function moveInstances(group: Group, deps: AutoScalingDeps): Group {
  let activities = group.activities;
  const instances = group.instances.flatMap((instance) => {
    const moved = moveOne(instance, group, deps);
    if (moved?.lifecycle === 'InService' && instance.lifecycle !== 'InService')
      activities = ended(activities, instance, deps);
    if (moved === undefined) activities = ended(activities, instance, deps);
    return moved ?? [];
  });
  const same =
    instances.length === group.instances.length && instances.every((each, at) => each === group.instances[at]);
  return same ? group : { ...group, instances, activities };
}

/** @returns nothing once it is gone */
function moveOne(instance: GroupInstance, group: Group, deps: AutoScalingDeps): GroupInstance | undefined {
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

/** One that somebody stopped is of no use any more. */
const stopped = (instance: GroupInstance): GroupInstance =>
  isEnding(instance) ? instance : { ...instance, healthy: false, lifecycle: 'Terminating' };

function goneOn(instance: GroupInstance, group: Group, deps: AutoScalingDeps): GroupInstance | undefined {
  const next = timedOut(instance, group, deps.clock.now());
  return next.lifecycle === instance.lifecycle ? next : moveOne(next, group, deps);
}

/** Asks whoever hooked in at the transition, and waits for the answers. */
function atHooks(instance: GroupInstance, side: Side, group: Group, deps: AutoScalingDeps): GroupInstance {
  const waits = hooksOf(group, side).map((hook) => {
    const wait = waitFor(hook, { token: deps.random.uuid(), now: deps.clock.now() });
    announce({ group, instance, hook, wait }, deps);
    return wait;
  });
  return entered(instance, side, waits);
}

/** Active instances that EC2 may reclaim soon, of a group that gets ahead of it. */
function atRisk(group: Group, { ec2 }: AutoScalingDeps): readonly GroupInstance[] {
  if (!group.capacityRebalance) return [];
  const warned = ec2.faults.find('rebalanceRecommendation').map(({ instanceId }) => instanceId);
  return activeOf(group).filter(({ id }) => warned.includes(id));
}

/** One more for each instance at risk, until its replacement is there, and what a refresh launches ahead. */
const sizeOf = (group: Group, deps: AutoScalingDeps): number =>
  group.desired + atRisk(group, deps).length + surgeOf(group, deps.clock.now());

/** Ends an instance at risk once there are enough others in service. */
function replaceAtRisk(group: Group, deps: AutoScalingDeps): Group {
  const risky = atRisk(group, deps);
  const [next] = risky;
  const others = activeOf(group).filter((each) => each.lifecycle === 'InService' && !risky.includes(each));
  if (next === undefined || others.length < group.desired - risky.length + 1) return group;
  return ending(group, next, 'an EC2 instance rebalance recommendation', deps);
}

function endSurplus(group: Group, deps: AutoScalingDeps): Group {
  let current = group;
  while (activeOf(current).length > sizeOf(current, deps) && runs(current, 'Terminate')) {
    const victim = nextToEnd(current);
    if (victim === undefined) return current;
    current = ending(
      current,
      victim,
      `a difference between desired and actual capacity shrinking the capacity from ${activeOf(current).length} to ${current.desired}`,
      deps,
    );
  }
  return current;
}

function ending(group: Group, victim: GroupInstance, because: string, deps: AutoScalingDeps): Group {
  const activity = begun(`Terminating EC2 instance: ${victim.id}`, because, deps);
  const instances = group.instances.map((each) =>
    each.id === victim.id ? { ...each, lifecycle: 'Terminating' as const, activityId: activity.id } : each,
  );
  return { ...group, instances, activities: remember(group.activities, activity) };
}

function launchMissing(before: Group, deps: AutoScalingDeps): { readonly group: Group; readonly refused: boolean } {
  let group = before;
  while (activeOf(group).length < sizeOf(group, deps) && runs(group, 'Launch')) {
    const launched = launchOne(group, deps);
    group = launched.group;
    if (launched.refused) return launched;
  }
  return { group, refused: false };
}

/** In the emptiest zone that has room for it. */
function launchOne(group: Group, deps: AutoScalingDeps, zones = zonesToFill(group)) {
  const cause = `an instance was started in response to a difference between desired and actual capacity, increasing the capacity from ${activeOf(group).length} to ${group.desired}`;
  const warm = takeWarm(group, deps);
  if (warm !== undefined) {
    const activity = begun(`Launching a new EC2 instance from warm pool: ${warm.taken.id}`, cause, deps);
    const taken = { ...warm.taken, activityId: activity.id };
    const activities = remember(group.activities, activity);
    return { group: { ...warm.group, instances: [...group.instances, taken], activities }, refused: false };
  }
  let message = 'The group has no subnet.';
  for (const zone of zones) {
    const result = launchIn(zone, asLaunching(group), deps.ec2);
    if ('instance' in result) {
      const activity = begun(`Launching a new EC2 instance: ${result.instance.id}`, cause, deps);
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
    ...begun('Launching a new EC2 instance.', cause, deps),
    status: 'Failed' as const,
    message,
    endedAt: deps.clock.now(),
  };
  return { group: { ...group, activities: remember(group.activities, failed) }, refused: true };
}

/** Launches in the emptiest zone first; the surplus then ends in the fullest one. */
function rebalance(group: Group, deps: AutoScalingDeps): Group {
  const quiet = isQuiet(group) && !isShort(group);
  if (!quiet || !isUnbalanced(group) || !runs(group, 'AZRebalance') || !runs(group, 'Launch')) return group;
  const [emptiest] = zonesToFill(group);
  return launchOne(group, deps, emptiest === undefined ? [] : [emptiest]).group;
}

/** A refresh ends as many of the instances it began with as its preferences let it, and leaves the group what it wants. */
function refreshed(group: Group, deps: AutoScalingDeps): Group {
  const alarms = deps.ec2.faults.find('alarm').map(({ name }) => name);
  const step = refreshStep(group, { now: deps.clock.now(), alarms });
  if (step === undefined) return group;
  const { refresh, end } = step;
  const done = refresh.status === 'Successful' ? refresh.wanted : undefined;
  const changed = { ...group, ...done, refreshes: withRefresh(group, refresh) };
  const before = refresh === runningRefresh(group) ? group : changed;
  return end.reduce((current, victim) => ending(current, victim, 'an instance refresh', deps), before);
}

function begun(description: string, because: string, { clock, random }: AutoScalingDeps): Activity {
  const startedAt = clock.now();
  return { id: random.uuid(), description, cause: `At ${at(startedAt)} ${because}.`, startedAt, status: 'InProgress' };
}

const at = (time: Instant): string => new Date(time).toISOString().replace(/\.\d+Z$/, 'Z');

const remember = (activities: readonly Activity[], activity: Activity): readonly Activity[] =>
  [activity, ...activities].slice(0, rememberedActivities);

const ended = (
  activities: readonly Activity[],
  { activityId }: GroupInstance,
  { clock }: AutoScalingDeps,
): readonly Activity[] =>
  activities.map((activity) =>
    activity.id === activityId && activity.endedAt === undefined
      ? { ...activity, status: 'Successful' as const, endedAt: clock.now() }
      : activity,
  );
