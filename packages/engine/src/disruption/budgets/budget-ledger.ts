import type { DisruptionReason, Instant, NodePool } from '@nodewright/apis';
import type { NodeState } from '../../cluster/node-state.ts';
import { allowanceOfBudget, type PoolCounts } from './budgets.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import { countsByPool, isUnavailableAndStays } from './pool-counts.ts';

type LedgerMoment = { readonly reason: DisruptionReason; readonly now: Instant };

/**
 * What the budgets of all pools still allow for one reason at one moment. Each node taken counts as unavailable afterwards.
 *
 * Budgets count every node that is not ready as unavailable. When a rollback replaces such a node, its pool loses nothing: the
 * ledger then counts only nodes that are leaving. Otherwise a sick node would use up the budget that it needs itself.
 */
export class BudgetLedger {
  readonly #counts: ReadonlyMap<string, PoolCounts>;
  readonly #at: LedgerMoment;
  readonly #takenBack: ReadonlySet<string>;
  readonly #allowed = new Map<string, number>();
  readonly #taken = new Map<string, number>();
  /** Of pools that may lose no more: one object for all of their nodes. */
  readonly #blockers = new Map<string, DisruptionBlocker>();

  /** @param takenBack names of claims whose nodes a rollback replaces [none] */
  constructor(nodes: readonly NodeState[], at: LedgerMoment, takenBack: ReadonlySet<string> = noClaims) {
    this.#counts = countsByPool(nodes);
    this.#at = at;
    this.#takenBack = takenBack;
  }

  /** How many more nodes of the pool may go. */
  remaining(nodePool: NodePool): number {
    return Math.max(0, this.#allowance(nodePool) - this.#away(nodePool));
  }

  /**
   * Why the budgets keep one more node of the pool; `undefined` when they allow it.
   * @param candidate the node that would go [any that is ready]
   */
  blockerOf(nodePool: NodePool, candidate?: NodeState): DisruptionBlocker | undefined {
    return candidate !== undefined && isUnavailableAndStays(candidate)
      ? this.#blockerOfSick(nodePool, candidate)
      : this.#blockerOfReady(nodePool);
  }

  #blockerOfSick(nodePool: NodePool, candidate: NodeState): DisruptionBlocker | undefined {
    const { name } = nodePool.metadata;
    const [allowed, away] = [this.#allowance(nodePool), this.#away(nodePool)];
    const isTakenBack = this.#takenBack.has(candidate.nodeClaim?.metadata.name ?? '');
    const disrupting = isTakenBack ? away - (this.#counts.get(name)?.notReady ?? 0) : away;
    if (allowed > disrupting) return undefined;
    return {
      kind: 'budget',
      nodePool: name,
      allowed,
      disrupting,
      ...(disrupting === 1 && away === 1 && { isItself: true }),
    };
  }

  #blockerOfReady(nodePool: NodePool): DisruptionBlocker | undefined {
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

const noClaims: ReadonlySet<string> = new Set();
