import { disruptedTaint, labelSelectorPredicate, ValueError } from '@nodewright/apis';
import type { Instant, IntOrString, Pod, PodDisruptionBudget } from '@nodewright/apis';
import { isProtected } from '../pods/do-not-disrupt.ts';
import { isActivePod, isMirrorPod, isReschedulable } from '../pods/pod-state.ts';
import { toleratesAll } from '../scheduling/tolerations.ts';

/** Why the Eviction API would refuse a pod now. */
export type EvictionBlocker =
  /** The API server evicts no pod that more than one budget selects. */
  | { readonly kind: 'severalBudgets'; readonly budgets: readonly string[] }
  | { readonly kind: 'exhaustedBudget'; readonly budgets: readonly string[] };

type Rule = { readonly budget: PodDisruptionBudget; readonly selects: (pod: Pod) => boolean };

/** PodDisruptionBudgets by namespace, read once per decision. */
export class EvictionRules {
  readonly #byNamespace = new Map<string, Rule[]>();

  constructor(budgets: readonly PodDisruptionBudget[]) {
    for (const budget of budgets.toSorted((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1))) {
      const namespace = budget.metadata.namespace ?? 'default';
      const selects = selectorOf(budget);
      this.#byNamespace.set(namespace, [...(this.#byNamespace.get(namespace) ?? []), { budget, selects }]);
    }
  }

  /** What keeps a pod from being evicted now. Pods that no drain would evict are never blocked. */
  blockerOf(pod: Pod, now: Instant): EvictionBlocker | undefined {
    return this.#blocked(pod, now, ({ status }) => (status?.disruptionsAllowed ?? 0) === 0);
  }

  /**
   * Whether a pod can be expected to leave its node: nothing protects it, and no budget rules out
   * its eviction for good. A budget that is merely used up just now does not matter.
   */
  canMove(pod: Pod, now: Instant): boolean {
    return isReschedulable(pod) && !isProtected(pod, now) && this.#blocked(pod, now, allowsNone) === undefined;
  }

  #blocked(pod: Pod, now: Instant, blocks: (budget: PodDisruptionBudget) => boolean): EvictionBlocker | undefined {
    if (!wouldBeEvicted(pod, now)) return undefined;
    const matching = (this.#byNamespace.get(pod.metadata.namespace ?? 'default') ?? [])
      .filter(({ selects }) => selects(pod))
      .map(({ budget }) => budget);
    const budgets = matching.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`);
    if (matching.length > 1) return { kind: 'severalBudgets', budgets };
    const [budget] = matching;
    if (budget === undefined || !blocks(budget) || mayLeaveUnhealthy(pod, budget)) return undefined;
    return { kind: 'exhaustedBudget', budgets };
  }
}

/** Whether a drain evicts the pod rather than leaving it with its node. */
export const wouldBeEvicted = (pod: Pod, now: Instant): boolean =>
  isActivePod(pod) &&
  !toleratesAll([disruptedTaint], pod.spec.tolerations) &&
  !isMirrorPod(pod) &&
  !isProtected(pod, now);

const mayLeaveUnhealthy = (pod: Pod, budget: PodDisruptionBudget): boolean =>
  budget.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' &&
  (pod.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'False') ?? false);

/** Whether the budget never allows an eviction, as far as its own figures tell. */
const allowsNone = ({ spec }: PodDisruptionBudget): boolean =>
  isAmount(spec.maxUnavailable, '0') || isAmount(spec.maxUnavailable, '0%') || isAmount(spec.minAvailable, '100%');

const isAmount = (value: IntOrString | undefined, text: string): boolean =>
  value !== undefined && String(value) === text;

/** An invalid selector selects nothing. */
function selectorOf({ spec }: PodDisruptionBudget): (pod: Pod) => boolean {
  try {
    const matches = labelSelectorPredicate(spec.selector);
    return (pod) => matches(pod.metadata.labels);
  } catch (error) {
    if (error instanceof ValueError) return () => false;
    throw error;
  }
}
