import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import type { PodTimes } from '../../state/pod-times.ts';
import { listPodMilestones } from './plan.ts';
import { reportPodMilestone } from './report.ts';

type PodMetricsSources = { readonly objects: Objects; readonly podTimes: PodTimes; readonly publish: Publisher };

/** `metrics.pod` looks at every change of a pod: it measures how long pods take that were seen waiting. */
export function watchPodMetrics({ objects, podTimes, publish }: PodMetricsSources): void {
  objects.pods.cache.onChange(({ before, after }) => {
    if (before !== undefined && after === undefined) podTimes.forget(before);
    if (before === undefined || after === undefined) return;
    for (const milestone of listPodMilestones(before, after)) {
      publish(reportPodMilestone(after, milestone, podTimes.schedulableSince(after)));
      if (milestone.kind === 'ready') podTimes.forget(after);
    }
  });
}
