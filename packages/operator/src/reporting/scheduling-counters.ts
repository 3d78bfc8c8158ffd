import { durationBuckets, type Metrics } from '@nodewright/runtime';

/** What scheduling rounds count. */
export type SchedulingCounters = {
  /** Pods passed over by a round because of what they ask for. */
  podsIgnored(count: number): void;
  /** Pods that a round of `controller` found no place for. */
  podsUnschedulable(controller: string, count: number): void;
  roundSolved(controller: string, tookMs: number): void;
  /** A round works on so many pods, begun so long ago; until it has ended. */
  roundAtWork(round: CountedRound, pods: number, sinceMs: number): void;
  roundEnded(round: CountedRound): void;
  /** How many pods wait for a place, by the zone they could get it in. */
  podsPendingByZone(controller: string, zones: ReadonlyMap<string, number>): void;
};

/** One scheduling round of a controller. */
type CountedRound = { readonly controller: string; readonly id: string };

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
  const ofRound = ['controller', 'scheduling_id'] as const;
  const depth = metrics.gauge({
    name: 'karpenter_scheduler_queue_depth',
    help: 'Pods that the round at work has to place',
    labels: ofRound,
  });
  const unfinished = metrics.gauge({
    name: 'karpenter_scheduler_unfinished_work_seconds',
    help: 'How long the round at work has been at it',
    labels: ofRound,
  });
  const byZone = metrics.gauge({
    name: 'karpenter_scheduler_pending_pods_by_effective_zone_count',
    help: 'Pods that wait for a place, by the zone they could get it in: one, flexible or none',
    labels: ['controller', 'zone'],
  });
  const labelsOf = ({ controller, id }: CountedRound) => ({ controller, scheduling_id: id });
  return {
    roundAtWork: (round, pods, sinceMs) => {
      depth.set(labelsOf(round), pods);
      unfinished.set(labelsOf(round), sinceMs / 1_000);
    },
    roundEnded: (round) => {
      depth.remove(labelsOf(round));
      unfinished.remove(labelsOf(round));
    },
    podsPendingByZone: (controller, zones) => {
      byZone.reset();
      for (const [zone, count] of zones) byZone.set({ controller, zone }, count);
    },
    podsIgnored: (count) => ignored.set({}, count),
    podsUnschedulable: (controller, count) => unschedulable.set({ controller }, count),
    roundSolved: (controller, tookMs) => durations.observe({ controller }, tookMs / 1_000),
  };
}
