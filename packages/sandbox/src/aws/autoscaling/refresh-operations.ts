import type {
  CancelInstanceRefreshAnswer,
  CancelInstanceRefreshType,
  DescribeInstanceRefreshesAnswer,
  DescribeInstanceRefreshesType,
  StartInstanceRefreshAnswer,
  StartInstanceRefreshType,
} from '@aws-sdk/client-auto-scaling';
import { noRefreshRunning, refreshRunning } from './errors.ts';
import type { InstanceRefresh } from './group.ts';
import { refreshOnTheWire } from './group-on-the-wire.ts';
import type { AutoScalingService } from './model.ts';

/** Rolling only: one instance after another, without looking at pods. */
export function startRefresh(
  service: AutoScalingService,
  request: StartInstanceRefreshType,
): StartInstanceRefreshAnswer {
  const { autoScaling, clock, newId } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (group.refreshes.some(isRunning)) throw refreshRunning();
  const refresh = {
    id: newId(),
    status: 'InProgress' as const,
    startedAt: clock.now(),
    toReplace: group.instances.map(({ id }) => id),
  };
  autoScaling.change(group.name, { refreshes: [refresh, ...group.refreshes] });
  return { InstanceRefreshId: refresh.id };
}

export function describeRefreshes(
  { autoScaling }: AutoScalingService,
  request: DescribeInstanceRefreshesType,
): DescribeInstanceRefreshesAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const asked = group.refreshes.filter(({ id }) => request.InstanceRefreshIds?.includes(id) ?? true);
  return { InstanceRefreshes: asked.map((refresh) => refreshOnTheWire(group, refresh)) };
}

export function cancelRefresh(
  { autoScaling, clock }: AutoScalingService,
  request: CancelInstanceRefreshType,
): CancelInstanceRefreshAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const running = group.refreshes.find(isRunning);
  if (running === undefined) throw noRefreshRunning();
  const cancelled = { ...running, status: 'Cancelled' as const, endedAt: clock.now() };
  autoScaling.change(group.name, { refreshes: group.refreshes.map((each) => (each === running ? cancelled : each)) });
  return { InstanceRefreshId: running.id };
}

export const isRunning = ({ status }: InstanceRefresh): boolean => status === 'InProgress';
