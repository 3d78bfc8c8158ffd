import type {
  CancelInstanceRefreshAnswer,
  CancelInstanceRefreshType,
  DescribeInstanceRefreshesAnswer,
  DescribeInstanceRefreshesType,
  StartInstanceRefreshAnswer,
  StartInstanceRefreshType,
} from '@aws-sdk/client-auto-scaling';
import { noRefreshRunning, refreshRunning } from './errors.ts';
import { type Group, type GroupInstance, isRunning, type RefreshPreferences, runningRefresh } from './group.ts';
import { refreshOnTheWire } from './group-on-the-wire.ts';
import type { AutoScalingService } from './model.ts';
import { preferencesOf } from './refresh-preferences.ts';

/** Rolling only, as far as its preferences let it at once, without looking at pods. */
export function startRefresh(
  service: AutoScalingService,
  request: StartInstanceRefreshType,
): StartInstanceRefreshAnswer {
  const { autoScaling, clock, newId } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (group.refreshes.some(isRunning)) throw refreshRunning();
  const preferences = preferencesOf(request.Preferences ?? {}, group);
  const refresh = {
    id: newId(),
    status: 'InProgress' as const,
    startedAt: clock.now(),
    toReplace: toReplace(service, group, preferences),
    preferences,
    passed: 0,
  };
  autoScaling.change(group.name, { refreshes: [refresh, ...group.refreshes] });
  return { InstanceRefreshId: refresh.id };
}

function toReplace({ ec2 }: AutoScalingService, group: Group, { skipMatching }: RefreshPreferences): readonly string[] {
  const { id, version } = group.template;
  const wanted = String(ec2.templates.version({ LaunchTemplateId: id, Version: version }).number);
  const matches = ({ template }: GroupInstance) => template.id === id && template.version === wanted;
  return group.instances.filter((instance) => !(skipMatching && matches(instance))).map((each) => each.id);
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
  const running = runningRefresh(group);
  if (running === undefined) throw noRefreshRunning();
  const cancelled = { ...running, status: 'Cancelled' as const, endedAt: clock.now() };
  autoScaling.change(group.name, { refreshes: group.refreshes.map((each) => (each === running ? cancelled : each)) });
  return { InstanceRefreshId: running.id };
}
