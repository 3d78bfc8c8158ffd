import { type Instant, type NodeRollout, type NodeRolloutStatus, toTimestamp } from '@nodewright/apis';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';
import { expectRolloutEnd } from './wave-forecast.ts';

/** The status with when the rollout ends if nothing comes between, by the arithmetic of its waves. */
export function withExpectedEnd(
  status: NodeRolloutStatus,
  {
    view,
    settings,
    seen,
  }: { readonly view: RolloutView; readonly settings: RolloutSettings; readonly seen: RolloutSnapshot },
): NodeRolloutStatus {
  const { expectedEnd: _expectedEnd, ...rest } = status;
  if (status.endedAt !== undefined) return rest;
  const end = expectRolloutEnd({ view: { ...view, status }, settings, seen });
  return { ...rest, ...(end === undefined ? {} : { expectedEnd: toTimestamp(end) }) };
}

/** The status of a rollout that ends because another takes its place. */
export function finishedStatus(
  rollout: NodeRollout,
  { state, because, now }: { readonly state: 'Superseded'; readonly because: string; readonly now: Instant },
): NodeRolloutStatus {
  const { status = {} } = rollout;
  const { nextChangeAt: _nextChangeAt, expectedEnd: _expectedEnd, ...rest } = status;
  return {
    ...rest,
    state,
    endedAt: status.endedAt ?? toTimestamp(now),
    conditions: (status.conditions ?? []).map((condition) =>
      condition.type === 'Superseded'
        ? { ...condition, status: 'True', reason: 'Superseded', message: because, lastTransitionTime: toTimestamp(now) }
        : condition.type === 'Progressing' || condition.type === 'Reconciling'
          ? {
              ...condition,
              status: 'False',
              reason: 'Superseded',
              message: because,
              lastTransitionTime: toTimestamp(now),
            }
          : condition,
    ),
  };
}
