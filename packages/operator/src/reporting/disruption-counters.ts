import type { ConsolidationType, ValidationFailure } from '@nodewright/engine';
import type { DisruptionReason } from '@nodewright/apis';
import { durationBuckets, type Metrics } from '@nodewright/runtime';

/** What a count tells commands and methods apart by. */
type DisruptionKind = { readonly reason: DisruptionReason; readonly consolidationType?: ConsolidationType };

/** What is counted of disruptions that the operator decides on. */
export type DisruptionCounters = {
  /** `nodePools`: whose nodes are disrupted, each once. */
  disruptionDecided(
    command: DisruptionKind & { readonly decision: 'delete' | 'replace' },
    nodePools: readonly string[],
  ): void;
  /** `failed`: how many of the replacements that the command waited for were not ready. */
  replacementsFailed(command: DisruptionKind & { readonly replacements: number }, failed: number): void;
  methodEvaluated(method: DisruptionKind, tookMs: number): void;
  /** `nodes`: how many nodes something could be done to for the reason, budgets aside. */
  nodesEligible(reason: DisruptionReason, nodes: number): void;
  validationFailed(method: DisruptionKind, because: ValidationFailure): void;
  /** A search for something to consolidate ran out of time. */
  consolidationTimedOut(type: ConsolidationType): void;
};

export function disruptionCounters(metrics: Metrics): DisruptionCounters {
  const labels = ['decision', 'reason', 'consolidation_type'] as const;
  const decisions = metrics.counter({
    name: 'karpenter_voluntary_disruption_decisions_total',
    help: 'Disruptions decided',
    labels,
  });
  const byPool = metrics.counter({
    name: 'karpenter_voluntary_disruption_decisions_by_nodepool_total',
    help: 'Disruptions decided, once for every NodePool whose nodes they are about',
    labels: ['nodepool', ...labels],
  });
  const failures = metrics.counter({
    name: 'karpenter_voluntary_disruption_queue_failures_total',
    help: 'Replacements that did not come up',
    labels,
  });
  const evaluations = metrics.histogram({
    name: 'karpenter_voluntary_disruption_decision_evaluation_duration_seconds',
    help: 'How long it took to look for a disruption of one kind',
    labels: ['reason', 'consolidation_type'],
    buckets: durationBuckets,
  });
  const eligible = metrics.gauge({
    name: 'karpenter_voluntary_disruption_eligible_nodes',
    help: 'Nodes that could be disrupted if budgets allowed it, by reason',
    labels: ['reason'],
  });
  const validations = metrics.counter({
    name: 'karpenter_voluntary_disruption_failed_validations_total',
    help: 'Nodes that were to be disrupted, and were not when it was time',
    labels: ['consolidation_type'],
  });
  const timeouts = metrics.counter({
    name: 'karpenter_voluntary_disruption_consolidation_timeouts_total',
    help: 'Searches for something to consolidate that ran out of time',
    labels: ['consolidation_type'],
  });
  for (const type of ['multi', 'single']) timeouts.add({ consolidation_type: type }, 0);
  return {
    disruptionDecided: ({ decision, ...kind }, nodePools) => {
      decisions.add({ decision, ...disruptionLabels(kind) });
      for (const nodepool of nodePools) byPool.add({ nodepool, decision, ...disruptionLabels(kind) });
    },
    replacementsFailed: ({ replacements, ...kind }, failed) =>
      failures.add({ decision: replacements === 0 ? 'delete' : 'replace', ...disruptionLabels(kind) }, failed),
    methodEvaluated: (method, tookMs) => evaluations.observe(disruptionLabels(method), tookMs / 1_000),
    nodesEligible: (reason, nodes) => eligible.set({ reason: reason.toLowerCase() }, nodes),
    validationFailed: (method, because) => {
      const { consolidation_type } = disruptionLabels(method);
      if (because !== 'scheduling') validations.add({ consolidation_type });
    },
    consolidationTimedOut: (type) => timeouts.add({ consolidation_type: type }),
  };
}

const disruptionLabels = ({ reason, consolidationType }: DisruptionKind) => ({
  reason: reason.toLowerCase(),
  consolidation_type: consolidationType ?? '',
});
