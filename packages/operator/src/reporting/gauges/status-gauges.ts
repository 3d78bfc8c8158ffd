import { fromTimestamp, type Conditioned, type ResourceType } from '@nodewright/apis';
import type { Clock, Metrics } from '@nodewright/runtime';
import { describeSubject, listSubjectLabels } from '../status-subject.ts';
import { gaugeSet, type GaugeSet } from './gauge-set.ts';

type StatusGaugeSources = { readonly metrics: Metrics; readonly clock: Clock };

/** `operator_<kind>_status_condition_*`: the conditions of every object of a kind, and how long its deletion takes so far. */
export function statusGauges<T extends Conditioned>(
  { type, list }: { readonly type: ResourceType<T>; readonly list: () => readonly T[] },
  { metrics, clock }: StatusGaugeSources,
): GaugeSet {
  const kind = type.kind.toLowerCase();
  const prefix = `operator_${kind}`;
  const subjectLabels = listSubjectLabels(kind);
  const conditionLabels = ['namespace', 'name', 'type', 'status', 'reason', ...subjectLabels];
  const gauges = {
    count: metrics.gauge({
      name: `${prefix}_status_condition_count`,
      help: 'One for each condition of each object; what it is stands in the labels',
      labels: conditionLabels,
    }),
    since: metrics.gauge({
      name: `${prefix}_status_condition_current_status_seconds`,
      help: 'How long a condition has been as it is',
      labels: conditionLabels,
    }),
    terminating: metrics.gauge({
      name: `${prefix}_termination_current_time_seconds`,
      help: 'How long an object has been asked to go',
      labels: ['namespace', 'name', ...subjectLabels],
    }),
  };
  const secondsSince = (timestamp: string): number => Math.max(0, clock.now() - fromTimestamp(timestamp)) / 1_000;
  return gaugeSet(gauges, () => {
    for (const object of list()) {
      const { metadata, status } = object;
      const { labels: more } = describeSubject(kind, object);
      const own = { namespace: metadata.namespace ?? '', name: metadata.name };
      for (const condition of status?.conditions ?? []) {
        const labels = {
          ...own,
          type: condition.type,
          status: condition.status,
          reason: condition.reason ?? '',
          ...more,
        };
        gauges.count.set(labels, 1);
        // A kubelet may report a condition without a time.
        if (condition.lastTransitionTime) gauges.since.set(labels, secondsSince(condition.lastTransitionTime));
      }
      if (metadata.deletionTimestamp !== undefined)
        gauges.terminating.set({ ...own, ...more }, secondsSince(metadata.deletionTimestamp));
    }
  });
}
