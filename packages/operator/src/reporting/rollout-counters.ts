import type { Metrics } from '@nodewright/runtime';

/** What is counted of rollouts. */
export type RolloutCounters = {
  /** `kind`: `Started`, `NodeFailed`, `Halted`, ... */
  rolloutHappened(policy: string, kind: string): void;
};

export function rolloutCounters(metrics: Metrics): RolloutCounters {
  const happenings = metrics.counter({
    name: 'nodewright_rollout_happenings_total',
    help: 'What happened in rollouts, by policy and kind: Started, NodeFailed, Halted, Complete and others',
    labels: ['policy', 'kind'],
  });
  return { rolloutHappened: (policy, kind) => happenings.add({ policy, kind }) };
}
