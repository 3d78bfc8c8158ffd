import type { LifecycleHookSpecification, PutLifecycleHookType } from '@aws-sdk/client-auto-scaling';
import type { Queues } from '../../sqs/queues.ts';
import { unreachableTarget, autoScalingValidationError } from '../errors.ts';
import type { LifecycleHook, LifecycleTransition } from '../group/group.ts';
import { isQueue } from '../hook-messages.ts';

export const lifecycleTransitions: readonly LifecycleTransition[] = [
  'autoscaling:EC2_INSTANCE_LAUNCHING',
  'autoscaling:EC2_INSTANCE_TERMINATING',
];

type HookRequest = PutLifecycleHookType | LifecycleHookSpecification;

/** What is asked for over what holds. @throws AwsError when it is no hook, or its target cannot be told */
export function hookOf(asked: HookRequest, known: LifecycleHook | undefined, queues: Queues): LifecycleHook {
  const { LifecycleHookName: name = '' } = asked;
  if (!/^[\w/-]{1,255}$/.test(name))
    throw autoScalingValidationError(
      `LifecycleHookName is '${name}', must be 1 to 255 letters, digits, hyphens, underscores or slashes`,
    );
  const hook = {
    name,
    transition: transitionOf(asked, known),
    heartbeatSeconds: heartbeatOf(asked, known),
    defaultResult: readDefaultResult(asked, known),
    ...readHookTarget(asked, known),
    ...optionalField('metadata', asked.NotificationMetadata ?? known?.metadata),
  };
  if (asked.NotificationTargetARN) checkTarget(asked.NotificationTargetARN, hook, queues);
  return hook;
}

function transitionOf(
  { LifecycleTransition: asked }: HookRequest,
  known: LifecycleHook | undefined,
): LifecycleTransition {
  const transition = asked === undefined ? known?.transition : lifecycleTransitions.find((each) => each === asked);
  if (transition === undefined) throw autoScalingValidationError(`Unsupported lifecycle transition: ${asked}`);
  return transition;
}

function heartbeatOf({ HeartbeatTimeout: asked }: HookRequest, known: LifecycleHook | undefined): number {
  const seconds = asked ?? known?.heartbeatSeconds ?? 3600;
  if (seconds >= 30 && seconds <= 7200) return seconds;
  throw autoScalingValidationError(`HeartbeatTimeout is ${seconds}, must be from 30 to 7200`);
}

function readDefaultResult(
  { DefaultResult: asked }: HookRequest,
  known: LifecycleHook | undefined,
): LifecycleHook['defaultResult'] {
  if (asked === undefined) return known?.defaultResult ?? 'ABANDON';
  if (asked === 'CONTINUE' || asked === 'ABANDON') return asked;
  throw autoScalingValidationError(`DefaultResult is ${asked}, must be CONTINUE or ABANDON`);
}

type HookTarget = Pick<LifecycleHook, 'notificationTarget' | 'roleArn'>;

/** An empty target takes the one from before away. */
function readHookTarget(
  { NotificationTargetARN: target, RoleARN: role }: HookRequest,
  known: LifecycleHook | undefined,
): HookTarget {
  const isNone = (target ?? known?.notificationTarget ?? '') === '';
  if (isNone) return {};
  return {
    ...optionalField('notificationTarget', target ?? known?.notificationTarget),
    ...optionalField('roleArn', role ?? known?.roleArn),
  };
}

const optionalField = <Key extends string>(key: Key, value: string | undefined): Partial<Record<Key, string>> =>
  value === undefined ? {} : ({ [key]: value } as Record<Key, string>);

function checkTarget(target: string, { roleArn }: HookTarget, queues: Queues): void {
  if (!/^arn:aws[\w-]*:(sqs|sns):/.test(target))
    throw autoScalingValidationError(`NotificationTargetARN is ${target}, must be the ARN of a queue or of a topic`);
  const isThere = isQueue(target) && queues.all().some(({ name }) => queues.arnOf(name) === target);
  if (!isThere || roleArn === undefined) throw unreachableTarget(target, roleArn);
}
