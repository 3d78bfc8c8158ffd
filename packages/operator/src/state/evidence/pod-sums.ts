import type { Instant } from '@nodewright/apis';
import type { OwnerCounters } from '@nodewright/engine';
import type { PodObservation } from './pod-facts.ts';

/** Counts of pods of all owners. */
export type PodSums = Omit<OwnerCounters, 'variant' | 'side' | 'owner'>;

/** What was ever seen of one pod. */
export type PodHistory = { readonly facts: PodObservation; readonly wasReady: boolean };

export const noPods: PodSums = {
  starts: 0,
  failedStarts: 0,
  podSeconds: 0,
  restartedPods: 0,
  duePods: 0,
  unreadyPods: 0,
};

export const addPodSums = (a: PodSums, b: PodSums): PodSums => ({
  starts: a.starts + b.starts,
  failedStarts: a.failedStarts + b.failedStarts,
  podSeconds: a.podSeconds + b.podSeconds,
  restartedPods: a.restartedPods + b.restartedPods,
  duePods: a.duePods + b.duePods,
  unreadyPods: a.unreadyPods + b.unreadyPods,
});

/** One pod in every counter but its time. */
export function countPod(
  { facts, wasReady }: PodHistory,
  { until, readyWithinMs }: { readonly until: Instant; readonly readyWithinMs: number },
): PodSums {
  const isDue = wasReady || until - facts.boundAt >= readyWithinMs;
  return {
    starts: facts.hasStarted ? 1 : 0,
    failedStarts: facts.hasFailedStart ? 1 : 0,
    podSeconds: 0,
    restartedPods: facts.hasRestarted ? 1 : 0,
    duePods: isDue ? 1 : 0,
    unreadyPods: isDue && !wasReady ? 1 : 0,
  };
}

/** A container of the pod has run. */
export const hasRun = ({ facts, wasReady }: PodHistory): boolean =>
  wasReady || facts.hasRestarted || (facts.hasStarted && !facts.hasFailedStart);

export function mergeHistory(before: PodHistory | undefined, facts: PodObservation): PodHistory {
  if (before === undefined) return { facts, wasReady: facts.isReady };
  return {
    wasReady: before.wasReady || facts.isReady,
    facts: {
      ...facts,
      boundAt: before.facts.boundAt,
      hasStarted: before.facts.hasStarted || facts.hasStarted,
      hasFailedStart: before.facts.hasFailedStart || facts.hasFailedStart,
      hasRestarted: before.facts.hasRestarted || facts.hasRestarted,
    },
  };
}
