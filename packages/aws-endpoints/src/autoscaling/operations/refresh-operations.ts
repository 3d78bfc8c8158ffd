import type {
  CancelInstanceRefreshAnswer,
  CancelInstanceRefreshType,
  DescribeInstanceRefreshesAnswer,
  DescribeInstanceRefreshesType,
  RollbackInstanceRefreshAnswer,
  RollbackInstanceRefreshType,
  StartInstanceRefreshAnswer,
  StartInstanceRefreshType,
} from '@aws-sdk/client-auto-scaling';
import { takePage } from '../../paging.ts';
import {
  autoScalingBadToken,
  irreversibleRefreshError,
  noRefreshRunning,
  refreshRunning,
  autoScalingValidationError,
} from '../errors.ts';
import { type AutoScalingGroupRecord, isEnding, isStandby } from '../group/group.ts';
import type { LaunchConfiguration } from '../group/launch-configuration.ts';
import type { AutoScalingService } from '../model.ts';
import { endedRefresh, rollingBack } from '../refresh/ending.ts';
import { refreshOnTheWire } from '../wire/refresh.ts';
import { preferencesOf } from '../refresh/preferences.ts';
import {
  isRunning,
  type InstanceRefresh,
  type RefreshPreferences,
  runningRefresh,
  withRefresh,
} from '../group/instance-refresh.ts';
import { hasConfiguration, wantedOf, whyIrreversible } from './wanted-configuration.ts';

/** Rolling, as far as its preferences let it at once, without looking at pods. */
export function startRefresh(
  service: AutoScalingService,
  request: StartInstanceRefreshType,
): StartInstanceRefreshAnswer {
  const { autoScaling, clock, ec2, newId } = service;
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  if (request.Strategy !== undefined && request.Strategy !== 'Rolling')
    throw autoScalingValidationError(
      `Strategy is ${request.Strategy}; the sandbox replaces instances, and knows Rolling only.`,
    );
  if (group.refreshes.some(isRunning)) throw refreshRunning();
  const preferences = preferencesOf(request.Preferences ?? {}, group);
  const wanted =
    request.DesiredConfiguration &&
    wantedOf(request.DesiredConfiguration, { ec2, configurations: autoScaling.configurations });
  const irreversibly = preferences.autoRollback ? whyIrreversible(group, wanted, ec2) : undefined;
  if (irreversibly !== undefined) throw autoScalingValidationError(`AutoRollback is not possible: ${irreversibly}.`);
  const refresh: InstanceRefresh = {
    id: newId(),
    status: 'Pending',
    startedAt: clock.now(),
    ...(wanted && { wanted }),
    toReplace: toReplace(service, group, { preferences, wanted: wanted ?? group }),
    preferences,
    passed: 0,
  };
  autoScaling.change(group.name, { refreshes: [refresh, ...group.refreshes] });
  return { InstanceRefreshId: refresh.id };
}

type RefreshRequest = { readonly preferences: RefreshPreferences; readonly wanted: LaunchConfiguration };

function toReplace(
  { ec2 }: AutoScalingService,
  group: AutoScalingGroupRecord,
  { preferences, wanted }: RefreshRequest,
): readonly string[] {
  const { skipMatching, protectedInstances, standbyInstances } = preferences;
  return group.instances
    .filter((each) => !isEnding(each))
    .filter((each) => !(each.protected && protectedInstances === 'Ignore'))
    .filter((each) => !(isStandby(each) && standbyInstances === 'Ignore'))
    .filter((each) => !(skipMatching && hasConfiguration(each, wanted, ec2)))
    .map(({ id }) => id);
}

export function describeRefreshes(
  { autoScaling, clock }: AutoScalingService,
  request: DescribeInstanceRefreshesType,
): DescribeInstanceRefreshesAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const asked = group.refreshes.filter(({ id }) => request.InstanceRefreshIds?.includes(id) ?? true);
  const { items, next } = takePage(asked, {
    size: request.MaxRecords ?? 50,
    token: request.NextToken,
    refuse: autoScalingBadToken,
  });
  const now = clock.now();
  return {
    InstanceRefreshes: items.map((refresh) => refreshOnTheWire({ group, refresh, now })),
    ...(next && { NextToken: next }),
  };
}

/** Instances that are on their way arrive, or go, first; what was replaced stays. */
export function cancelRefresh(
  { autoScaling, clock }: AutoScalingService,
  request: CancelInstanceRefreshType,
): CancelInstanceRefreshAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const refresh = runningRefresh(group);
  if (refresh === undefined || refresh.status === 'Cancelling') throw noRefreshRunning();
  const reason = 'Cancelled by a user.';
  const cancelled =
    request.WaitForTransitioningInstances === false
      ? endedRefresh({ group, refresh, now: clock.now() }, 'Cancelled', reason)
      : { ...refresh, status: 'Cancelling' as const, reason };
  autoScaling.change(group.name, { refreshes: withRefresh(group, cancelled) });
  return { InstanceRefreshId: refresh.id };
}

export function rollBackRefresh(
  { autoScaling, clock, ec2 }: AutoScalingService,
  request: RollbackInstanceRefreshType,
): RollbackInstanceRefreshAnswer {
  const group = autoScaling.group(request.AutoScalingGroupName ?? '');
  const refresh = runningRefresh(group);
  if (refresh === undefined || refresh.status === 'Cancelling') throw noRefreshRunning();
  const why =
    refresh.rollback === undefined ? whyIrreversible(group, refresh.wanted, ec2) : 'it is being rolled back already';
  if (why !== undefined) throw irreversibleRefreshError(why);
  const back = rollingBack({ group, refresh, now: clock.now() }, 'Rolled back by a user.');
  autoScaling.change(group.name, { refreshes: withRefresh(group, back) });
  return { InstanceRefreshId: refresh.id };
}
