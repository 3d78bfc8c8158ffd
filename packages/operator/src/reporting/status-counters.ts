import type { Condition } from '@nodewright/apis';
import type { Metrics } from '@nodewright/runtime';
import { listSubjectLabels, type StatusSubject } from './status-subject.ts';

/** What is counted of conditions, and of the end of what has them. */
export type StatusCounters = {
  conditionChanged(subject: StatusSubject, to: Condition, stayedMs: number): void;
  /** The object is gone, so long after it was asked to go. */
  objectEnded(subject: StatusSubject, tookMs: number): void;
};

/** Half a second to 2.3 hours, doubling. */
const buckets = Array.from({ length: 15 }, (_, power) => 0.5 * 2 ** power);

/** The kinds that are watched whatever gates are on. */
const constantKinds = ['ec2nodeclass', 'node', 'nodeclaim', 'nodepool'];

export function statusCounters(metrics: Metrics): StatusCounters {
  const metricsOf = (kind: string) => ({
    transitions: metrics.counter({
      name: `operator_${kind}_status_condition_transitions_total`,
      help: 'Changes of a condition, by what it became',
      labels: ['type', 'status', 'reason', ...listSubjectLabels(kind)],
    }),
    durations: metrics.histogram({
      name: `operator_${kind}_status_condition_transition_seconds`,
      help: 'How long a condition was as it was before it changed',
      labels: ['type', 'status', ...listSubjectLabels(kind)],
      buckets,
    }),
    ends: metrics.histogram({
      name: `operator_${kind}_termination_duration_seconds`,
      help: 'From the request to delete an object to its end',
      labels: listSubjectLabels(kind),
      buckets,
    }),
  });
  // Known before anything happens, so that a query finds them.
  for (const kind of constantKinds) metricsOf(kind);
  return {
    conditionChanged: ({ kind, labels }, { type, status, reason = '' }, stayedMs) => {
      const { transitions, durations } = metricsOf(kind);
      transitions.add({ type, status, reason, ...labels });
      durations.observe({ type, status, ...labels }, stayedMs / 1_000);
    },
    objectEnded: ({ kind, labels }, tookMs) => metricsOf(kind).ends.observe(labels, tookMs / 1_000),
  };
}
