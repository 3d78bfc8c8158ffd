import { type AutoScalingGroupRecord, isEnding } from '../group/group.ts';
import { countRefreshed, type Refreshing } from './replacing.ts';
import type { InstanceRefresh, RefreshStatus } from '../group/instance-refresh.ts';

/** It is over, and stays as it stands now. */
export const endedRefresh = (around: Refreshing, status: RefreshStatus, reason?: string): InstanceRefresh => ({
  ...withoutWaits(around.refresh),
  status,
  endedAt: around.now,
  result:
    around.refresh.rollback === undefined
      ? countRefreshed(around)
      : { percentage: 0, left: around.refresh.rollback.before.left },
  ...(reason !== undefined && { reason }),
});

/** One that fails goes back, where it was asked to. */
export function failedRefresh(around: Refreshing, reason: string): InstanceRefresh {
  if (around.refresh.status === 'RollbackInProgress') return endedRefresh(around, 'RollbackFailed', reason);
  return around.refresh.preferences.autoRollback ? rollingBack(around, reason) : endedRefresh(around, 'Failed', reason);
}

/** Whatever came since it began is replaced by what the group launched before, without rests. */
export function rollingBack(around: Refreshing, reason: string): InstanceRefresh {
  const { group, refresh, now } = around;
  return {
    ...withoutWaits(refresh),
    status: 'RollbackInProgress',
    reason,
    rollback: { reason, startedAt: now, before: countRefreshed(around) },
    toReplace: cameSince(group, refresh),
    passed: refresh.preferences.checkpoints.length,
  };
}

const cameSince = (
  { instances }: AutoScalingGroupRecord,
  { startedAt, toReplace }: InstanceRefresh,
): readonly string[] =>
  instances
    .filter((each) => !isEnding(each) && each.launchedAt >= startedAt && !toReplace.includes(each.id))
    .map(({ id }) => id);

function withoutWaits({
  restsUntil: _rest,
  bakesUntil: _bake,
  progress: _progress,
  reason: _reason,
  ...refresh
}: InstanceRefresh): InstanceRefresh {
  return refresh;
}
