import type {
  CompleteLifecycleActionType,
  DeleteLifecycleHookType,
  DescribeLifecycleHooksAnswer,
  DescribeLifecycleHooksType,
  PutLifecycleHookType,
  RecordLifecycleActionHeartbeatType,
} from '@aws-sdk/client-auto-scaling';
import type { HookAnswer } from './auto-scaling.ts';
import { validation } from './errors.ts';
import type { Transition } from './group.ts';
import { hookOnTheWire } from './group-on-the-wire.ts';
import type { AutoScalingService } from './model.ts';

const transitions: readonly Transition[] = [
  'autoscaling:EC2_INSTANCE_LAUNCHING',
  'autoscaling:EC2_INSTANCE_TERMINATING',
];

export function putHook({ autoScaling }: AutoScalingService, request: PutLifecycleHookType): object {
  const { AutoScalingGroupName: group = '', LifecycleHookName: name = '', HeartbeatTimeout: heartbeat } = request;
  const known = autoScaling.group(group).hooks.find((hook) => hook.name === name);
  const transition = transitions.find((each) => each === request.LifecycleTransition) ?? known?.transition;
  if (transition === undefined) throw validation(`Unsupported lifecycle transition: ${request.LifecycleTransition}`);
  const heartbeatSeconds = heartbeat ?? known?.heartbeatSeconds ?? 3600;
  if (heartbeatSeconds < 30 || heartbeatSeconds > 7200) {
    throw validation(`HeartbeatTimeout is ${heartbeatSeconds}, must be from 30 to 7200`);
  }
  autoScaling.putHook(group, {
    name,
    transition,
    heartbeatSeconds,
    defaultResult: request.DefaultResult === 'CONTINUE' ? 'CONTINUE' : (known?.defaultResult ?? 'ABANDON'),
    ...(request.NotificationTargetARN !== undefined && { notificationTarget: request.NotificationTargetARN }),
    ...(request.RoleARN !== undefined && { roleArn: request.RoleARN }),
    ...(request.NotificationMetadata !== undefined && { metadata: request.NotificationMetadata }),
  });
  return {};
}

export function deleteHook({ autoScaling }: AutoScalingService, request: DeleteLifecycleHookType): object {
  autoScaling.removeHook(request.AutoScalingGroupName ?? '', request.LifecycleHookName ?? '');
  return {};
}

export function describeHooks(
  { autoScaling }: AutoScalingService,
  request: DescribeLifecycleHooksType,
): DescribeLifecycleHooksAnswer {
  const { name, hooks } = autoScaling.group(request.AutoScalingGroupName ?? '');
  const asked = hooks.filter((hook) => request.LifecycleHookNames?.includes(hook.name) ?? true);
  return { LifecycleHooks: asked.map((hook) => hookOnTheWire(name, hook)) };
}

export function completeAction({ autoScaling }: AutoScalingService, request: CompleteLifecycleActionType): object {
  const result = request.LifecycleActionResult;
  if (result !== 'CONTINUE' && result !== 'ABANDON') {
    throw validation(`LifecycleActionResult is ${result}, must be CONTINUE or ABANDON`);
  }
  autoScaling.completeAction(request.AutoScalingGroupName ?? '', answered(request), result);
  return {};
}

export function recordHeartbeat(
  { autoScaling }: AutoScalingService,
  request: RecordLifecycleActionHeartbeatType,
): object {
  autoScaling.heartbeat(request.AutoScalingGroupName ?? '', answered(request));
  return {};
}

const answered = (request: RecordLifecycleActionHeartbeatType): HookAnswer => ({
  hook: request.LifecycleHookName ?? '',
  ...(request.LifecycleActionToken !== undefined && { token: request.LifecycleActionToken }),
  ...(request.InstanceId !== undefined && { instanceId: request.InstanceId }),
});
