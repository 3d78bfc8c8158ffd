import { instant, type Instant, seconds } from '@nodewright/apis';
import type {
  AutoScalingGroupRecord,
  GroupInstance,
  HookWait,
  LifecycleHook,
  LifecycleTransition,
} from './group/group.ts';

/** Which way an instance goes. */
export type Side = 'Pending' | 'Terminating';

const transitionOfSide: Readonly<Record<Side, LifecycleTransition>> = {
  Pending: 'autoscaling:EC2_INSTANCE_LAUNCHING',
  Terminating: 'autoscaling:EC2_INSTANCE_TERMINATING',
};

export const listHooks = ({ hooks }: AutoScalingGroupRecord, side: Side): readonly LifecycleHook[] =>
  hooks.filter(({ transition }) => transition === transitionOfSide[side]);

const globalLimitSeconds = 48 * 3600;
const mostHeartbeats = 100;

/** The longest time that a lifecycle action may take with all of its heartbeats, in seconds. */
export const globalHookLimitSeconds = ({ heartbeatSeconds }: LifecycleHook): number =>
  Math.min(globalLimitSeconds, mostHeartbeats * heartbeatSeconds);

export const waitFor = (hook: LifecycleHook, { token, now }: { token: string; now: Instant }): HookWait => ({
  hook: hook.name,
  token,
  since: now,
  due: instant(now + seconds(hook.heartbeatSeconds)),
});

/** Another heartbeat long, within the limit of the hook. */
export const prolongWait = (wait: HookWait, hook: LifecycleHook, now: Instant): HookWait => ({
  ...wait,
  due: instant(Math.min(now + seconds(hook.heartbeatSeconds), wait.since + seconds(globalHookLimitSeconds(hook)))),
});

/** The instance before any hook of its way: it waits for all of them at once, or goes on. */
export function enterHooks(instance: GroupInstance, side: Side, waits: readonly HookWait[]): GroupInstance {
  if (waits.length === 0) return { ...instance, lifecycle: side === 'Pending' ? 'InService' : 'Terminating:Proceed' };
  return { ...instance, lifecycle: `${side}:Wait`, waits };
}

export type HookResult = 'CONTINUE' | 'ABANDON';

/** After the last answer an instance goes on; one that is abandoned on its way in ends, on its way out it hurries. */
export function answerHookWait(instance: GroupInstance, wait: HookWait, result: HookResult): GroupInstance {
  const { waits = [], ...rest } = instance;
  const left = result === 'ABANDON' ? [] : waits.filter(({ token }) => token !== wait.token);
  if (left.length > 0) return { ...rest, waits: left };
  if (instance.lifecycle === 'Terminating:Wait') return { ...rest, lifecycle: 'Terminating:Proceed' };
  return { ...rest, lifecycle: result === 'CONTINUE' ? 'Pending:Proceed' : 'Terminating' };
}

/** A lifecycle action without an answer in time gets the default result of its hook. */
export function timedOut(
  instance: GroupInstance,
  { hooks }: Pick<AutoScalingGroupRecord, 'hooks'>,
  now: Instant,
): GroupInstance {
  const late = instance.waits?.filter(({ due }) => due <= now) ?? [];
  const defaultOf = (wait: HookWait): HookResult =>
    hooks.find(({ name }) => name === wait.hook)?.defaultResult ?? 'CONTINUE';
  return late.reduce(
    (current, wait) => (isWaiting(current) ? answerHookWait(current, wait, defaultOf(wait)) : current),
    instance,
  );
}

const isWaiting = ({ lifecycle }: GroupInstance): boolean => lifecycle.endsWith(':Wait');

/** Without a hook that is taken away: new instances that waited for it end, others go on. */
export function releaseFromHook(instance: GroupInstance, hook: string): GroupInstance {
  const wait = instance.waits?.find((each) => each.hook === hook);
  if (wait === undefined) return instance;
  return answerHookWait(instance, wait, instance.lifecycle === 'Pending:Wait' ? 'ABANDON' : 'CONTINUE');
}
