import type {
  CompleteLifecycleActionType,
  DeleteLifecycleHookType,
  DescribeLifecycleHooksAnswer,
  DescribeLifecycleHookTypesAnswer,
  DescribeLifecycleHooksType,
  PutLifecycleHookType,
  RecordLifecycleActionHeartbeatType,
} from '@aws-sdk/client-auto-scaling';
import type { HookAnswer } from '../auto-scaling.ts';
import { tooManyHooks, autoScalingValidationError } from '../errors.ts';
import { hookOnTheWire } from '../wire/group.ts';
import type { AutoScalingService } from '../model.ts';
import { hookOf, lifecycleTransitions } from './new-hook.ts';

const mostHooks = 50;

export function putHook({ autoScaling, queues }: AutoScalingService, request: PutLifecycleHookType): object {
  const { name, hooks } = autoScaling.group(request.AutoScalingGroupName ?? '');
  const known = hooks.find((each) => each.name === request.LifecycleHookName);
  if (known === undefined && hooks.length >= mostHooks) throw tooManyHooks(name);
  autoScaling.putHook(name, hookOf(request, known, queues));
  if (request.NotificationTargetARN) autoScaling.test(name, request.NotificationTargetARN);
  return {};
}

export const describeHookTypes = (): DescribeLifecycleHookTypesAnswer => ({
  LifecycleHookTypes: [...lifecycleTransitions],
});

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
    throw autoScalingValidationError(`LifecycleActionResult is ${result}, must be CONTINUE or ABANDON`);
  }
  autoScaling.completeAction(request.AutoScalingGroupName ?? '', readHookAnswer(request), result);
  return {};
}

export function recordHeartbeat(
  { autoScaling }: AutoScalingService,
  request: RecordLifecycleActionHeartbeatType,
): object {
  autoScaling.heartbeat(request.AutoScalingGroupName ?? '', readHookAnswer(request));
  return {};
}

const readHookAnswer = (request: RecordLifecycleActionHeartbeatType): HookAnswer => ({
  hook: request.LifecycleHookName ?? '',
  ...(request.LifecycleActionToken !== undefined && { token: request.LifecycleActionToken }),
  ...(request.InstanceId !== undefined && { instanceId: request.InstanceId }),
});
