import { conditionOf, fromTimestamp, isConditionTrue, type Instant, type Pod } from '@nodewright/apis';
import type { ControllerDeps } from '../../hosting/controller-host.ts';

type Milestone = { readonly condition: 'PodScheduled' | 'Ready'; readonly reached: (pod: Pod, at: Instant) => void };

/** `metrics.pod`: measures how long pods take, of those that were seen waiting. */
export function observePods({ objects, counters, podTimes }: ControllerDeps): void {
  const milestones: readonly Milestone[] = [
    {
      condition: 'PodScheduled',
      reached: (pod, at) => {
        whenKnown(podCreatedAt(pod), at, (ms) => counters.podBound(ms));
        whenKnown(podTimes.schedulableSince(pod), at, (ms) => counters.podProvisioned('bound', ms));
      },
    },
    {
      condition: 'Ready',
      reached: (pod, at) => {
        whenKnown(podCreatedAt(pod), at, (ms) => counters.podStarted(ms));
        whenKnown(podTimes.schedulableSince(pod), at, (ms) => counters.podProvisioned('startup', ms));
        podTimes.forget(pod);
      },
    },
  ];
  objects.pods.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) podTimes.forget(before);
    if (before === undefined || after === undefined) return;
    for (const { condition, reached } of milestones) {
      if (isConditionTrue(before, condition) || !isConditionTrue(after, condition)) continue;
      const at = conditionOf(after, condition)?.lastTransitionTime;
      if (at) reached(after, fromTimestamp(at));
    }
  });
}

function whenKnown(from: Instant | undefined, to: Instant, tell: (tookMs: number) => void): void {
  if (from !== undefined) tell(Math.max(0, to - from));
}

const podCreatedAt = ({ metadata: { creationTimestamp } }: Pod): Instant | undefined =>
  creationTimestamp ? fromTimestamp(creationTimestamp) : undefined;
