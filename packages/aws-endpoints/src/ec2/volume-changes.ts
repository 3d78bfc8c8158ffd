import { type Instant, hours, instant, minutes, seconds } from '@nodewright/apis';
import type { LaunchedDisk } from './launched-disks.ts';

/** What ModifyVolume changes of a volume. */
export type ChangeableVolume = Pick<LaunchedDisk, 'sizeGib' | 'type' | 'iops' | 'throughput'>;

/** The last change of a volume by ModifyVolume. */
export type VolumeChange = {
  readonly volumeId: string;
  readonly from: ChangeableVolume;
  readonly to: ChangeableVolume;
  readonly startedAt: Instant;
  /** When the earlier changes of the last day began. */
  readonly earlier: readonly Instant[];
};

/** The volume has its new size after the first of these, and its new speed after the second. */
const modifyingMs = seconds(10);
const optimizingMs = minutes(10);

const mostChangesInWindow = 4;
const changeWindowMs = hours(24);

/** How far a change is, as EC2 tells it. */
export function describeChangeProgress({ startedAt }: Pick<VolumeChange, 'startedAt'>, now: Instant) {
  const optimizedMs = now - startedAt - modifyingMs;
  if (optimizedMs < 0) return { ModificationState: 'modifying' as const, Progress: 0 };
  if (optimizedMs < optimizingMs)
    return {
      ModificationState: 'optimizing' as const,
      Progress: Math.min(99, Math.floor((optimizedMs / optimizingMs) * 100)),
    };
  return {
    ModificationState: 'completed' as const,
    Progress: 100,
    EndTime: new Date(startedAt + modifyingMs + optimizingMs),
  };
}

/** Returns what a volume is at an instant: its change is in effect as soon as EC2 only optimizes it. */
export function applyVolumeChange<Changed extends ChangeableVolume>(
  volume: Changed,
  change: VolumeChange | undefined,
  now: Instant,
): Changed {
  if (change === undefined) return volume;
  const { iops: _iops, throughput: _throughput, ...rest } = volume;
  const isInEffect = describeChangeProgress(change, now).ModificationState !== 'modifying';
  return { ...rest, ...(isInEffect ? change.to : change.from) } as Changed;
}

/** Lists when the changes of the last day began. */
export const listRecentChanges = (change: VolumeChange | undefined, now: Instant): readonly Instant[] =>
  change === undefined ? [] : [...change.earlier, change.startedAt].filter((at) => now - at < changeWindowMs);

/** When a volume may be changed again; `undefined` where it may be changed now. */
export function nextChangeAt(recent: readonly Instant[]): Instant | undefined {
  const first = recent.at(-mostChangesInWindow);
  return first === undefined ? undefined : instant(first + changeWindowMs);
}
