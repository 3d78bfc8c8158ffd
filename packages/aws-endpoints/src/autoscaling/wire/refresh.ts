import type { InstanceRefresh as WireRefresh } from '@aws-sdk/client-auto-scaling';
import { configurationOnTheWire } from './configuration.ts';
import type { RefreshPreferences, Rollback } from '../group/instance-refresh.ts';
import { countRefreshed, type Refreshing } from '../refresh/replacing.ts';

export function refreshOnTheWire(around: Refreshing): WireRefresh {
  const { group, refresh } = around;
  const { percentage, left } = refresh.result ?? duringRollback(around) ?? countRefreshed(around);
  const reason = refresh.reason ?? restReason(around);
  return {
    InstanceRefreshId: refresh.id,
    AutoScalingGroupName: group.name,
    Status: refresh.status,
    ...(reason !== undefined && { StatusReason: reason }),
    StartTime: new Date(refresh.startedAt),
    ...(refresh.endedAt !== undefined && { EndTime: new Date(refresh.endedAt) }),
    PercentageComplete: percentage,
    InstancesToUpdate: left,
    Strategy: 'Rolling',
    Preferences: preferencesOnTheWire(refresh.preferences),
    ...(refresh.wanted && { DesiredConfiguration: configurationOnTheWire(refresh.wanted) }),
    ...(refresh.rollback && { RollbackDetails: rollbackOnTheWire(refresh.rollback) }),
  };
}

/** The percentage goes back to zero; what had not been replaced needs no replacement. */
function duringRollback(around: Refreshing) {
  const { rollback } = around.refresh;
  if (rollback === undefined) return undefined;
  const { percentage } = countRefreshed(around);
  return {
    percentage: Math.floor((rollback.before.percentage * (100 - percentage)) / 100),
    left: rollback.before.left,
  };
}

function restReason({ refresh }: Refreshing): string | undefined {
  if (refresh.restsUntil !== undefined) return `Rests at a checkpoint until ${formatRefreshTime(refresh.restsUntil)}.`;
  return refresh.bakesUntil === undefined ? undefined : `Bakes until ${formatRefreshTime(refresh.bakesUntil)}.`;
}

const formatRefreshTime = (time: number): string => new Date(time).toISOString();

const preferencesOnTheWire = (preferences: RefreshPreferences): NonNullable<WireRefresh['Preferences']> => ({
  MinHealthyPercentage: preferences.minHealthy,
  ...(preferences.maxHealthy !== undefined && { MaxHealthyPercentage: preferences.maxHealthy }),
  InstanceWarmup: preferences.warmupSeconds,
  ...(rests(preferences) && {
    CheckpointPercentages: [...preferences.checkpoints],
    CheckpointDelay: preferences.checkpointDelaySeconds,
  }),
  SkipMatching: preferences.skipMatching,
  AutoRollback: preferences.autoRollback,
  ScaleInProtectedInstances: preferences.protectedInstances,
  StandbyInstances: preferences.standbyInstances,
  ...(preferences.alarms.length > 0 && { AlarmSpecification: { Alarms: [...preferences.alarms] } }),
  BakeTime: preferences.bakeSeconds,
});

const rests = ({ checkpoints }: RefreshPreferences): boolean => checkpoints.length > 1 || checkpoints[0] !== 100;

const rollbackOnTheWire = ({ reason, startedAt, before }: Rollback): NonNullable<WireRefresh['RollbackDetails']> => ({
  RollbackReason: reason,
  RollbackStartTime: new Date(startedAt),
  PercentageCompleteOnRollback: before.percentage,
  InstancesToUpdateOnRollback: before.left,
});
