import type { Metrics } from '@nodewright/runtime';
import { durationBuckets } from './buckets.ts';

/** How long pods take to get somewhere, from their creation. */
export type PodCounters = {
  podBound(tookMs: number): void;
  podStarted(tookMs: number): void;
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
  return {
    podBound: (tookMs) => bound.observe({}, tookMs / 1_000),
    podStarted: (tookMs) => started.observe({}, tookMs / 1_000),
  };
}
