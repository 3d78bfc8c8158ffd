import type { Instant, NodePool } from '@nodewright/apis';
import { allowanceOfBudget, nextBudgetChange, nodePoolNameOf, type NodeState, poolCounts } from '@nodewright/engine';
import type { OwnBlockerReading } from './node-holds.ts';

/** With a window a day, those of half a year. */
const mostBudgetChanges = 400;

/**
 * When the budgets of a pool first let a drifted node go, as far as schedules decide that.
 * @param total nodes of the pool
 * @returns `undefined` where no schedule does
 */
export function findBudgetOpening({ spec }: NodePool, total: number, now: Instant): Instant | undefined {
  const budgets = spec.disruption?.budgets;
  let at = nextBudgetChange(budgets, now);
  for (let change = 0; at !== undefined && change < mostBudgetChanges; change += 1) {
    if (allowanceOfBudget(budgets, total, { reason: 'Drifted', now: at }) > 0) return at;
    at = nextBudgetChange(budgets, at);
  }
  return undefined;
}

/** Finds the pool of a node, where its budgets let no drifted node go now, and no schedule ever does. */
export type ClosedPoolFinder = (state: NodeState) => string | undefined;

export function createClosedPoolFinder(
  { nodePools, disruption: { nodes } }: OwnBlockerReading,
  now: Instant,
): ClosedPoolFinder {
  const isClosed = new Map<string, boolean>();
  return (state) => {
    const name = nodePoolNameOf(state);
    if (name === undefined) return undefined;
    const pool = nodePools.find(({ metadata }) => metadata.name === name);
    const known =
      isClosed.get(name) ?? (pool !== undefined && isClosedForGood(pool, poolCounts(name, nodes).total, now));
    isClosed.set(name, known);
    return known ? name : undefined;
  };
}

const isClosedForGood = (pool: NodePool, total: number, now: Instant): boolean =>
  allowanceOfBudget(pool.spec.disruption?.budgets, total, { reason: 'Drifted', now }) === 0 &&
  findBudgetOpening(pool, total, now) === undefined;

/** What a person finds out next who does away with everything else. */
export const describeClosedPool = (pool: string): string =>
  `the disruption budgets of NodePool ${pool} never let a node go`;
