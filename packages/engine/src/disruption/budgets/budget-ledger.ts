import type { DisruptionReason, Instant, NodePool } from '@nodewright/apis';
import type { NodeState } from '../../cluster/node-state.ts';
import { allowanceOfBudget, type PoolCounts } from './budgets.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import { countsByPool } from './pool-counts.ts';

/** What the budgets of all pools still allow for one reason at one moment. Each node taken counts as unavailable afterwards. */
export class BudgetLedger {
  readonly #counts: ReadonlyMap<string, PoolCounts>;
  readonly #at: { readonly reason: DisruptionReason; readonly now: Instant };
  readonly #allowed = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  /** Of pools that may lose no more: one object for all of their nodes. */
  readonly #blockers = new Map<string, DisruptionBlocker>();

  constructor(nodes: readonly NodeState[], at: { readonly reason: DisruptionReason; readonly now: Instant }) {
    this.#counts = countsByPool(nodes);
    this.#at = at;
  }

  /** How many more nodes of the pool may go. */
  remaining(nodePool: NodePool): number {
    return Math.max(0, this.#allowance(nodePool) - this.#away(nodePool));
  }

  /** Why the budgets keep one more node of the pool; `undefined` when they allow it. */
  blockerOf(nodePool: NodePool): DisruptionBlocker | undefined {
    const { name } = nodePool.metadata;
    const known = this.#blockers.get(name);
    if (known !== undefined || this.remaining(nodePool) > 0) return known;
    const allowed = this.#allowance(nodePool);
    const blocker: DisruptionBlocker = { kind: 'budget', nodePool: name, allowed, disrupting: this.#away(nodePool) };
    this.#blockers.set(name, blocker);
    return blocker;
  }

  take({ metadata: { name } }: NodePool): void {
    this.#taken.set(name, (this.#taken.get(name) ?? 0) + 1);
    this.#blockers.delete(name);
  }

  #away({ metadata: { name } }: NodePool): number {
    return (this.#counts.get(name)?.disrupting ?? 0) + (this.#taken.get(name) ?? 0);
  }

  #allowance({ metadata: { name }, spec }: NodePool): number {
    const known = this.#allowed.get(name);
    if (known !== undefined) return known;
    const allowed = allowanceOfBudget(spec.disruption?.budgets, this.#counts.get(name)?.total ?? 0, this.#at);
    this.#allowed.set(name, allowed);
    return allowed;
  }
}
