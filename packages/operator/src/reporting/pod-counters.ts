import { durationBuckets, type Metrics } from '@nodewright/runtime';

/** How long pods take to get somewhere, from their creation. */
export type PodCounters = {
  podBound(tookMs: number): void;
  podStarted(tookMs: number): void;
  /** From the first sight of a pod without a node until a round has said whether there is a place for it. */
  podDecided(tookMs: number): void;
  /** From the first round that found a place for a pod until it has its node, or runs and is ready. */
  podProvisioned(until: 'bound' | 'startup', tookMs: number): void;
};

export function podCounters(metrics: Metrics): PodCounters {
  const bound = metrics.histogram({
    name: 'karpenter_pods_bound_duration_seconds',
    help: 'From the creation of a pod until it has a node',
    buckets: durationBuckets,
  });
  const started = metrics.summary({
    name: 'karpenter_pods_startup_duration_seconds',
    help: 'From the creation of a pod until it runs and is ready',
    quantiles: [0, 0.5, 0.9, 0.99, 1],
  });
  const decided = metrics.histogram({
    name: 'karpenter_pods_scheduling_decision_duration_seconds',
    help: 'From the first sight of a pod without a node until a round has decided on it',
    buckets: durationBuckets,
  });
  const provisioning = {
    bound: metrics.histogram({
      name: 'karpenter_pods_provisioning_bound_duration_seconds',
      help: 'From the round that found a place for a pod until it has its node',
      buckets: durationBuckets,
    }),
    startup: metrics.histogram({
      name: 'karpenter_pods_provisioning_startup_duration_seconds',
      help: 'From the round that found a place for a pod until it runs and is ready',
      buckets: durationBuckets,
    }),
  };
  return {
    podDecided: (tookMs) => decided.observe({}, tookMs / 1_000),
    podProvisioned: (until, tookMs) => provisioning[until].observe({}, tookMs / 1_000),
    podBound: (tookMs) => bound.observe({}, tookMs / 1_000),
    podStarted: (tookMs) => started.observe({}, tookMs / 1_000),
  };
}
