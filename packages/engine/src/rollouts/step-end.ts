import { instant, type Instant, type NodeRollout, type NodeRolloutStatus, toTimestamp } from '@nodewright/apis';
import type { RolloutSettings } from './settings.ts';
import type { RolloutSnapshot } from './snapshot.ts';
import type { RolloutView } from './view.ts';
import { type WaveProgress, wavesOfRollout } from './wave-progress.ts';

/** Soaks that are left, and the nodes that are left at the pace of the policy. */
export function withExpectedEnd(
  status: NodeRolloutStatus,
  {
    view,
    wave,
    settings,
    seen,
  }: {
    readonly view: RolloutView;
    readonly wave: WaveProgress;
    readonly settings: RolloutSettings;
    readonly seen: RolloutSnapshot;
  },
): NodeRolloutStatus {
  const { expectedEnd: _expectedEnd, ...rest } = status;
  if (status.endedAt !== undefined || status.halted !== undefined) return rest;
  const soaks = wavesOfRollout(view, settings)
    .slice(wave.index)
    .reduce((sum, { soakMs }) => sum + soakMs, 0);
  const moves = (view.toMove.length / settings.pace.maxPerHour) * 3_600_000;
  return { ...rest, expectedEnd: toTimestamp(instant(seen.now + soaks + moves)) };
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
