import {
  labelSelectorPredicate,
  parseIntOrPercent,
  resolveIntOrPercent,
  type PodDisruptionBudget,
} from '@nodewright/apis';
import { fullyBlockingRule } from '@nodewright/engine';
import type { ManifestPath, LintProblem, LintRule } from '../lint-rule.ts';
import { namespaceOfManifest, type ManifestSet, type Workload } from '../manifest-set.ts';

/** The workloads of the manifests that a budget selects. A budget without a selector selects nothing. */
const selectedWorkloads = (budget: PodDisruptionBudget, { workloads }: ManifestSet): readonly Workload[] => {
  const { selector } = budget.spec;
  if (selector === undefined) return [];
  const selects = labelSelectorPredicate(selector);
  return workloads.filter(({ namespace, labels }) => namespace === namespaceOfManifest(budget) && selects(labels));
};

const titleOf = ({ object }: Workload): string => `${object.kind} ${object.metadata.name}`;

export const twoPodBudgetsRule: LintRule = {
  name: 'two-pod-budgets',
  severity: 'error',
  about:
    'The Eviction API refuses every eviction of a pod that two PodDisruptionBudgets select: its node cannot be drained.',
  check: (manifests) =>
    manifests.workloads.flatMap((workload) => {
      const budgets = manifests.podBudgets.filter((budget) => selectedWorkloads(budget, manifests).includes(workload));
      const [first, ...others] = budgets;
      if (first === undefined) return [];
      return others.map((other) => ({
        object: other,
        path: ['spec', 'selector'],
        value: other.metadata.name,
        why: `it selects the pods of ${titleOf(workload)}, which PodDisruptionBudget ${first.metadata.name} selects too: no eviction of them is ever allowed`,
        instead: 'leave one of the two budgets, or narrow their selectors so that no pod has both',
      }));
    }),
};

export const stuckPodBudgetRule: LintRule = {
  name: 'pod-budget-never-yields',
  severity: 'warning',
  about: 'A PodDisruptionBudget that allows no eviction, however long one waits, keeps every node of its pods.',
  check: (manifests) =>
    manifests.podBudgets.flatMap((budget) => findStuckBudget(budget, selectedWorkloads(budget, manifests))),
};

function findStuckBudget(budget: PodDisruptionBudget, workloads: readonly Workload[]): readonly LintProblem[] {
  const rule = fullyBlockingRule(withoutStatus(budget)) ?? wantsAllReplicas(budget, workloads);
  if (rule === undefined) return [];
  const field = budget.spec.maxUnavailable === undefined ? 'minAvailable' : 'maxUnavailable';
  const path: ManifestPath = ['spec', field];
  return [
    {
      object: budget,
      path,
      value: budget.spec[field],
      why: `it never allows an eviction: ${rule}; drift and consolidation wait for it, expiration for terminationGracePeriod`,
      instead: 'write maxUnavailable: 1, and run at least two replicas',
    },
  ];
}

/** The status of a manifest is of another cluster, or of another day. */
const withoutStatus = ({ apiVersion, kind, metadata, spec }: PodDisruptionBudget): PodDisruptionBudget => ({
  ...(apiVersion === undefined ? {} : { apiVersion }),
  ...(kind === undefined ? {} : { kind }),
  metadata,
  spec,
});

/** As many as there are: only where the number of replicas is written. */
function wantsAllReplicas({ spec }: PodDisruptionBudget, workloads: readonly Workload[]): string | undefined {
  const counts = workloads.map(({ replicas }) => replicas);
  if (spec.minAvailable === undefined || counts.length === 0 || counts.includes(undefined)) return undefined;
  const expected = counts.reduce<number>((sum, count) => sum + (count ?? 0), 0);
  const wanted = resolveIntOrPercent(parseIntOrPercent(spec.minAvailable), expected, 'up');
  if (expected === 0 || wanted < expected) return undefined;
  return `minAvailable: ${spec.minAvailable} are ${wanted} of ${expected} pods (${workloads.map(titleOf).join(', ')})`;
}
