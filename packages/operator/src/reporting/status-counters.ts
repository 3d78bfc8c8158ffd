import type { Condition } from '@nodewright/apis';
import type { Metrics } from '@nodewright/runtime';

/** What is counted of conditions; `kind` in lower case, as it stands in the name of the metric. */
export type StatusCounters = {
  conditionChanged(kind: string, to: Condition, stayedMs: number): void;
};

/** Half a second to 2.3 hours, doubling. */
const buckets = Array.from({ length: 15 }, (_, power) => 0.5 * 2 ** power);

export function statusCounters(metrics: Metrics): StatusCounters {
  const metricsOf = (kind: string) => ({
    transitions: metrics.counter({
      name: `operator_${kind}_status_condition_transitions_total`,
      help: 'Changes of a condition, by what it became',
      labels: ['type', 'status', 'reason'],
    }),
    durations: metrics.histogram({
      name: `operator_${kind}_status_condition_transition_seconds`,
      help: 'How long a condition was as it was before it changed',
      labels: ['type', 'status'],
      buckets,
    }),
  });
  return {
    conditionChanged: (kind, { type, status, reason = '' }, stayedMs) => {
      const { transitions, durations } = metricsOf(kind);
      transitions.add({ type, status, reason });
      durations.observe({ type, status }, stayedMs / 1_000);
    },
  };
}
