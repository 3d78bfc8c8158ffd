import {
  instant,
  oncePerObject,
  parseDuration,
  parseIntOrPercent,
  resolveIntOrPercent,
  ValueError,
} from '@nodewright/apis';
import type { Budget, DisruptionReason, Instant } from '@nodewright/apis';
import { hoursOfBudget } from './budget-hours.ts';
import { parseSchedule } from './cron-schedule.ts';

/** The counted nodes of one pool. */
export type PoolCounts = {
  readonly total: number;
  /** How many of them are leaving or not ready. */
  readonly disrupting: number;
  /** How many of them are not ready, and not leaving. */
  readonly notReady: number;
};

/** The allowance of a pool without budgets. */
export const unlimited = 2 ** 31 - 1;

/** The default of the API server for a NodePool without budgets. */
const defaultBudgets: readonly Budget[] = [{ nodes: '10%' }];

/** A budget that cannot be read, and therefore closes its pool. */
export type BudgetComplaint = { readonly budget: Budget; readonly message: string };

/**
 * How many more nodes of a pool may be disrupted for `reason` at `now`.
 *
 * Only budgets that are open and name the reason (or none) constrain; the tightest wins. Percentages
 * round up: 10% of 4 nodes is 1. A budget that cannot be read allows nothing, whatever it is for.
 * @returns whole nodes, never negative; `unlimited` less what is away when nothing constrains
 * @see https://karpenter.sh/docs/concepts/disruption/#nodepool-disruption-budgets
 */
export function disruptionsAllowed(
  budgets: readonly Budget[] | undefined,
  pool: Pick<PoolCounts, 'total' | 'disrupting'>,
  at: { readonly reason: DisruptionReason; readonly now: Instant },
): number {
  return Math.max(0, allowanceOfBudget(budgets, pool.total, at) - pool.disrupting);
}

/** As `disruptionsAllowed`, without subtracting unavailable nodes. */
export function allowanceOfBudget(
  budgets: readonly Budget[] = defaultBudgets,
  total: number,
  { reason, now }: { readonly reason: DisruptionReason; readonly now: Instant },
): number {
  if (budgetComplaints(budgets).length > 0) return 0;
  const caps = budgets
    .filter(({ reasons }) => reasons === undefined || reasons.includes(reason))
    .filter((budget) => isBudgetOpen(budget, now))
    .map(({ nodes }) => resolveIntOrPercent(parseIntOrPercent(nodes), total, 'up'));
  return Math.min(unlimited, ...caps);
}

/** Budgets with a number, schedule or duration that is none. */
export const budgetComplaints = (budgets: readonly Budget[] = defaultBudgets): readonly BudgetComplaint[] =>
  budgets.flatMap((budget) => {
    const message = budgetComplaint(budget);
    return message === undefined ? [] : [{ budget, message }];
  });

const budgetComplaint = oncePerObject(({ nodes, schedule, duration }: Budget): string | undefined => {
  try {
    parseIntOrPercent(nodes);
    if (schedule !== undefined) parseSchedule(schedule);
    if (duration !== undefined) parseDuration(duration);
    return undefined;
  } catch (error) {
    if (error instanceof ValueError) return error.message;
    throw error;
  }
});

/** Whether a budget constrains at `now`: always without a schedule, else from each hit for its duration, the end excluded. */
export function isBudgetOpen(budget: Budget, now: Instant): boolean {
  const hours = hoursOfBudget(budget);
  if (hours === undefined) return true;
  const hit = hours.currentHit(now);
  // A schedule that never comes holds its budget open for good, as in Karpenter.
  return hit === undefined || hit <= now;
}

/** The next instant after `now` at which some budget opens or closes; `undefined` when none ever does. */
export function nextBudgetChange(budgets: readonly Budget[] = defaultBudgets, now: Instant): Instant | undefined {
  if (budgetComplaints(budgets).length > 0) return undefined;
  const changes = budgets.flatMap((budget) => changesOfBudget(budget, now));
  return changes.length === 0 ? undefined : instant(Math.min(...changes));
}

/** The next hit, and the end of the earliest window that is open or opens next: all after `now`. */
function changesOfBudget(budget: Budget, now: Instant): readonly Instant[] {
  const hours = hoursOfBudget(budget);
  if (hours === undefined) return [];
  const [current, next] = [hours.currentHit(now), hours.nextHit(now)];
  return [...(next === undefined ? [] : [next]), ...(current === undefined ? [] : [instant(current + hours.lengthMs)])];
}
