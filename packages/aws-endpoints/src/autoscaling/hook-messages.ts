import type { AwsEvent } from '../events/event.ts';
import type { AutoScalingDeps } from './deps.ts';
import type { AutoScalingGroupRecord, GroupInstance, HookWait, LifecycleHook } from './group/group.ts';
import { isReused } from './warm-pool.ts';

type LifecycleAction = {
  readonly group: AutoScalingGroupRecord;
  readonly instance: GroupInstance;
  readonly hook: LifecycleHook;
  readonly wait: HookWait;
};

/**
 * Tells the target of a hook, when it is a queue, that an instance waits for an answer; without a target EventBridge.
 * @see https://docs.aws.amazon.com/autoscaling/ec2/userguide/prepare-for-lifecycle-notifications.html
 */
export function announceLifecycleAction(action: LifecycleAction, deps: AutoScalingDeps): void {
  const target = action.hook.notificationTarget;
  if (target === undefined) return deps.publish(eventOf(action, deps));
  if (!isQueue(target)) return;
  deliver(deps, target, {
    ...lifecycleDetail(action, deps),
    AccountId: deps.account.id,
    RequestId: deps.random.uuid(),
    Service: 'AWS Auto Scaling',
    Time: new Date(deps.clock.now()).toISOString(),
  });
}

function eventOf(action: LifecycleAction, deps: AutoScalingDeps): AwsEvent {
  const way = isComing(action) ? 'launch' : 'terminate';
  return {
    source: 'aws.autoscaling',
    detailType: `EC2 Instance-${way} Lifecycle Action`,
    resources: [action.group.arn],
    detail: lifecycleDetail(action, deps),
  };
}

const isComing = ({ hook }: LifecycleAction): boolean => hook.transition === 'autoscaling:EC2_INSTANCE_LAUNCHING';

function lifecycleDetail(action: LifecycleAction, deps: AutoScalingDeps): AwsEvent['detail'] {
  const { group, instance, hook, wait } = action;
  return {
    ...(isComing(action)
      ? { Origin: launchOrigin(instance, group), Destination: 'AutoScalingGroup' }
      : { Origin: 'AutoScalingGroup', Destination: isReused(group, instance, deps) ? 'WarmPool' : 'EC2' }),
    LifecycleActionToken: wait.token,
    AutoScalingGroupName: group.name,
    LifecycleHookName: hook.name,
    EC2InstanceId: instance.id,
    LifecycleTransition: hook.transition,
    ...(hook.metadata !== undefined && { NotificationMetadata: hook.metadata }),
  };
}

/** What a target hears first, once it is named. */
export function announceTest({ name, arn }: AutoScalingGroupRecord, target: string, deps: AutoScalingDeps): void {
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

/** Topics belong to other accounts, and the sandbox delivers nothing to them. */
export const isQueue = (target: string): boolean => target.split(':')[2] === 'sqs';

const deliver = ({ queues }: AutoScalingDeps, target: string, message: object): void =>
  queues.deliver(target, JSON.stringify(message));

const launchOrigin = ({ activityId }: GroupInstance, { activities }: AutoScalingGroupRecord): string =>
  activities.find(({ id }) => id === activityId)?.description.includes('warm pool') === true ? 'WarmPool' : 'EC2';
