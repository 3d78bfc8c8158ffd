import { type Budget, type DisruptionReason, type Instant, type NodePool, toTimestamp } from '@nodewright/apis';
import {
  allowanceOfBudget,
  budgetComplaints,
  isBudgetOpen,
  nextBudgetChange,
  type NodeState,
  type PoolCounts,
  poolCounts,
  unlimited,
} from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { Explanation } from '../rows/dashboard-rows.ts';
import { findNamed } from './explanation.ts';

const explainedReasons: readonly DisruptionReason[] = ['Drifted', 'Underutilized', 'Empty'];

/** What the budgets of a NodePool allow now, for each reason, and which of them count. */
export function explainBudget(
  name: string,
  { nodePools, disruption }: Pick<ClusterReading, 'nodePools' | 'disruption'>,
  now: Instant,
): Explanation {
  const pool = findNamed('NodePool', nodePools, name);
  const changesAt = nextBudgetChange(budgetsOfPool(pool), now);
  return {
    subject: { kind: 'NodePool', name },
    ...budgetsNow(pool, disruption.nodes, now),
    ...(changesAt === undefined
      ? {}
      : {
          changesAt: toTimestamp(changesAt),
          change: `the budgets allow ${budgetsNow(pool, disruption.nodes, changesAt).answer}`,
        }),
  };
}

export function budgetsNow(
  pool: NodePool,
  nodes: readonly NodeState[],
  now: Instant,
): Pick<Explanation, 'answer' | 'reasons'> {
  const counts = poolCounts(pool.metadata.name, nodes);
  const budgets = budgetsOfPool(pool);
  const wrong = budgetComplaints(budgets).map(
    ({ message }) => `a budget cannot be read, so nothing is disrupted: ${message}`,
  );
  return {
    answer: explainedReasons.map((reason) => `${reason} ${leftFor(budgets, counts, { reason, now })}`).join(', '),
    reasons: [
      `nodes that count: ${counts.total}, of which away or leaving: ${counts.disrupting}`,
      ...(wrong.length > 0 ? wrong : budgets.map((budget) => printedBudget(budget, counts, now))),
    ],
  };
}

/** What the API server fills in. */
const budgetsOfPool = (pool: NodePool): readonly Budget[] => pool.spec.disruption?.budgets ?? [{ nodes: '10%' }];

function leftFor(
  budgets: readonly Budget[],
  { total, disrupting }: PoolCounts,
  at: { readonly reason: DisruptionReason; readonly now: Instant },
): string {
  const allowed = allowanceOfBudget(budgets, total, at);
  return allowed === unlimited ? 'no limit' : `${Math.max(0, allowed - disrupting)} more`;
}

function printedBudget(budget: Budget, { total }: PoolCounts, now: Instant): string {
  const { nodes, reasons: about, schedule, duration } = budget;
  const at = { reason: about?.[0] ?? 'Drifted', now } as const;
  const { schedule: _, duration: __, ...always } = budget;
  const count = allowanceOfBudget([always], total, at);
  const size = nodes.endsWith('%')
    ? `${nodes} of ${total} ${total === 1 ? 'node' : 'nodes'} is ${count}`
    : `nodes: ${nodes}`;
  const topic = about === undefined ? 'every reason' : about.join(', ');
  return `${size}, for ${topic}: ${whenOf(budget, now)}${schedule === undefined ? '' : ` (${schedule} UTC for ${duration})`}`;
}

function whenOf(budget: Budget, now: Instant): string {
  if (budget.schedule === undefined) return 'always';
  const change = nextBudgetChange([budget], now);
  const at = change === undefined ? '' : ` until ${toTimestamp(change)}`;
  return isBudgetOpen(budget, now) ? `counts now${at}` : `does not count${at}`;
}
