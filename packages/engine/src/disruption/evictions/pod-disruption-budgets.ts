import {
  byTextOf,
  disruptedTaint,
  labelSelectorPredicate,
  ValueError,
  type Instant,
  type Pod,
  type PodDisruptionBudget,
} from '@nodewright/apis';
import { isProtected } from '../../pods/do-not-disrupt.ts';
import { isActivePod, isMirrorPod, isReschedulable } from '../../pods/pod-state.ts';
import { toleratesAll } from '../../pods/tolerations.ts';
import { allowsEviction, isGuardedByBudgets, isObservedBudget, letsUnhealthyPodGo } from './eviction-api.ts';
import { fullyBlockingRule, isFullyBlockingSpec } from './fully-blocking-budget.ts';

/** Why the Eviction API would refuse a pod now. Budgets are named `namespace/name`. */
export type EvictionBlocker =
  /** The API server evicts no pod that more than one budget selects. */
  | { readonly kind: 'severalBudgets'; readonly budgets: readonly string[] }
  /** The budget allows no eviction until it is changed, or gets more pods. */
  | { readonly kind: 'fullyBlockingBudget'; readonly budgets: readonly string[]; readonly rule: string }
  /** The disruption controller has not looked at the budget since its last change. */
  | { readonly kind: 'unobservedBudget'; readonly budgets: readonly string[] }
  /** The budget has no disruption left now. */
  | {
      readonly kind: 'exhaustedBudget';
      readonly budgets: readonly string[];
      readonly desiredHealthy: number;
      readonly currentHealthy: number;
    };

type EvictionRule = { readonly budget: PodDisruptionBudget; readonly selects: (pod: Pod) => boolean };

/** PodDisruptionBudgets by namespace, read once per decision. */
export class EvictionRules {
  readonly #byNamespace = new Map<string, EvictionRule[]>();

  constructor(budgets: readonly PodDisruptionBudget[]) {
    for (const budget of budgets.toSorted(byTextOf(({ metadata }) => metadata.name))) {
      const namespace = budget.metadata.namespace ?? 'default';
      const selects = selectorOfBudget(budget);
      this.#byNamespace.set(namespace, [...(this.#byNamespace.get(namespace) ?? []), { budget, selects }]);
    }
  }

  /** Without any budget none has to be asked. */
  get areNone(): boolean {
    return this.#byNamespace.size === 0;
  }

  /** Why a pod cannot be evicted now. Pods that a drain does not evict are never blocked. */
  blockerOf(pod: Pod, now: Instant): EvictionBlocker | undefined {
    const blocker = this.blockerIfUnprotected(pod);
    return blocker === undefined || isProtected(pod, now) ? undefined : blocker;
  }

  /** The same where do-not-disrupt of the pod does not count: what holds it when that is taken away. */
  blockerIfUnprotected(pod: Pod): EvictionBlocker | undefined {
    const guards = this.guardsOf(pod);
    return guards.length > 0 && isDrained(pod) ? refusalBy(guards) : undefined;
  }

  /**
   * Whether a pod can leave its node: it is not protected, and no budget rules out
   * its eviction for good. A budget that is merely used up just now does not matter.
   */
  canMove(pod: Pod, now: Instant): boolean {
    if (!isReschedulable(pod) || isProtected(pod, now)) return false;
    const [only, another] = this.guardsOf(pod);
    if (only === undefined || !wouldBeEvicted(pod, now)) return true;
    return another === undefined && !isFullyBlockingSpec(only.spec);
  }

  /** The budgets that the Eviction API asks about a pod, by name; none when it lets the pod go whatever they allow. */
  guardsOf(pod: Pod): readonly PodDisruptionBudget[] {
    const rules = this.#byNamespace.get(pod.metadata.namespace ?? 'default');
    if (rules === undefined || !isGuardedByBudgets(pod)) return [];
    const matching = rules.filter(({ selects }) => selects(pod)).map(({ budget }) => budget);
    const [only] = matching;
    return matching.length === 1 && only !== undefined && letsUnhealthyPodGo(only, pod) ? [] : matching;
  }
}

function refusalBy(guards: readonly PodDisruptionBudget[]): EvictionBlocker | undefined {
  const budgets = guards.map(({ metadata }) => `${metadata.namespace ?? 'default'}/${metadata.name}`);
  if (guards.length > 1) return { kind: 'severalBudgets', budgets };
  const [budget] = guards;
  if (budget === undefined || allowsEviction(budget)) return undefined;
  const rule = fullyBlockingRule(budget);
  if (rule !== undefined) return { kind: 'fullyBlockingBudget', budgets, rule };
  if (!isObservedBudget(budget)) return { kind: 'unobservedBudget', budgets };
  const { desiredHealthy = 0, currentHealthy = 0 } = budget.status ?? {};
  return { kind: 'exhaustedBudget', budgets, desiredHealthy, currentHealthy };
}

/** Whether a drain evicts the pod rather than leaving it with its node. */
export const wouldBeEvicted = (pod: Pod, now: Instant): boolean => isDrained(pod) && !isProtected(pod, now);

const isDrained = (pod: Pod): boolean =>
  isActivePod(pod) && !toleratesAll([disruptedTaint], pod.spec.tolerations) && !isMirrorPod(pod);

/** An invalid selector selects nothing. */
function selectorOfBudget({ spec }: PodDisruptionBudget): (pod: Pod) => boolean {
  try {
    const matches = labelSelectorPredicate(spec.selector);
    return (pod) => matches(pod.metadata.labels);
  } catch (error) {
    if (error instanceof ValueError) return () => false;
    throw error;
  }
}
