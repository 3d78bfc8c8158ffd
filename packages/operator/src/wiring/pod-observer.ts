import { conditionOf, fromTimestamp, isConditionTrue, type Pod } from '@nodewright/apis';
import type { ControllerDeps } from './controller-deps.ts';

type Milestone = { readonly condition: 'PodScheduled' | 'Ready'; readonly reached: (tookMs: number) => void };

/** `metrics.pod`: measures how long pods take, of those that were seen waiting. */
export function observePods({ objects, counters }: ControllerDeps): void {
  const milestones: readonly Milestone[] = [
    { condition: 'PodScheduled', reached: (tookMs) => counters.podBound(tookMs) },
    { condition: 'Ready', reached: (tookMs) => counters.podStarted(tookMs) },
  ];
  objects.pods.cache.onChange(({ before, after }) => {
    if (before === undefined || after === undefined) return;
    for (const { condition, reached } of milestones) {
      if (isConditionTrue(before, condition) || !isConditionTrue(after, condition)) continue;
      const tookMs = ageAt(after, condition);
      if (tookMs !== undefined) reached(tookMs);
    }
  });
}

/** How old the pod was when the condition became what it is. */
function ageAt(pod: Pod, condition: string): number | undefined {
  const { creationTimestamp } = pod.metadata;
  const since = conditionOf(pod, condition)?.lastTransitionTime;
  if (!creationTimestamp || !since) return undefined;
  return Math.max(0, fromTimestamp(since) - fromTimestamp(creationTimestamp));
}
