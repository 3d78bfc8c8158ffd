import type { Metrics } from '@nodewright/runtime';
import { durationBuckets } from './buckets.ts';

/** What scheduling rounds count. */
export type SchedulingCounters = {
  /** Pods passed over by a round because of what they ask for. */
  podsIgnored(count: number): void;
  /** Pods that a round of `controller` found no place for. */
  podsUnschedulable(controller: string, count: number): void;
  roundSolved(controller: string, tookMs: number): void;
};

export function schedulingCounters(metrics: Metrics): SchedulingCounters {
  const ignored = metrics.gauge({
    name: 'karpenter_scheduler_ignored_pods_count',
    help: 'Pods that the last round passed over because of what they ask for',
  });
  const unschedulable = metrics.gauge({
    name: 'karpenter_scheduler_unschedulable_pods_count',
    help: 'Pods that the last round found no place for',
    labels: ['controller'],
  });
  const durations = metrics.histogram({
    name: 'karpenter_scheduler_scheduling_duration_seconds',
    help: 'How long a scheduling round takes',
    labels: ['controller'],
    buckets: durationBuckets,
  });
  return {
    podsIgnored: (count) => ignored.set({}, count),
    podsUnschedulable: (controller, count) => unschedulable.set({ controller }, count),
    roundSolved: (controller, tookMs) => durations.observe({ controller }, tookMs / 1_000),
  };
}
