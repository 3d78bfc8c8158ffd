import type { AutoScalingDeps } from './deps.ts';
import type { Group, GroupInstance, HookWait, LifecycleHook } from './group.ts';
import { isReused } from './warm-pool.ts';

type Action = {
  readonly group: Group;
  readonly instance: GroupInstance;
  readonly hook: LifecycleHook;
  readonly wait: HookWait;
};

/**
 * Tells the target of a hook, when it is a queue, that an instance waits for an answer.
 * @see https://docs.aws.amazon.com/autoscaling/ec2/userguide/prepare-for-lifecycle-notifications.html
 */
export function announce({ group, instance, hook, wait }: Action, deps: AutoScalingDeps): void {
  if (hook.notificationTarget === undefined || !isQueue(hook.notificationTarget)) return;
  const isComing = hook.transition === 'autoscaling:EC2_INSTANCE_LAUNCHING';
  const { account, clock, random } = deps;
  deliver(deps, hook.notificationTarget, {
    Origin: isComing ? originOf(instance, group) : 'AutoScalingGroup',
    LifecycleHookName: hook.name,
    Destination: isComing ? 'AutoScalingGroup' : isReused(group, instance, deps) ? 'WarmPool' : 'EC2',
    AccountId: account.id,
    RequestId: random.uuid(),
    LifecycleTransition: hook.transition,
    AutoScalingGroupName: group.name,
    Service: 'AWS Auto Scaling',
    Time: new Date(clock.now()).toISOString(),
    EC2InstanceId: instance.id,
    ...(hook.metadata !== undefined && { NotificationMetadata: hook.metadata }),
    LifecycleActionToken: wait.token,
  });
}

/** What a target hears first, once it is named. */
export function announceTest({ name, arn }: Group, target: string, deps: AutoScalingDeps): void {
  deliver(deps, target, {
    AccountId: deps.account.id,
    RequestId: deps.random.uuid(),
    AutoScalingGroupARN: arn,
    AutoScalingGroupName: name,
    Service: 'AWS Auto Scaling',
    Event: 'autoscaling:TEST_NOTIFICATION',
    Time: new Date(deps.clock.now()).toISOString(),
  });
}

/** Topics are of other accounts: nobody here hears what goes there. */
export const isQueue = (target: string): boolean => target.split(':')[2] === 'sqs';

const deliver = ({ queues }: AutoScalingDeps, target: string, message: object): void =>
  queues.deliver(target, JSON.stringify(message));

const originOf = ({ activityId }: GroupInstance, { activities }: Group): string =>
  activities.find(({ id }) => id === activityId)?.description.includes('warm pool') === true ? 'WarmPool' : 'EC2';
