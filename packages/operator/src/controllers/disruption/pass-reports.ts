import type { DisruptionReason } from '@nodewright/apis';
import { allowanceOfBudget, countsByPool, type DisruptionSnapshot, type NodeState } from '@nodewright/engine';
import type { Clock, Logger } from '@nodewright/runtime';
import type { Counters } from '../../reporting/counters.ts';
import { reportUnconsolidatable } from './report.ts';
import { blockedByBudget } from '../../reporting/pool-reports.ts';
import type { Reporter } from '../../reporting/report.ts';
import type { MethodEvaluation, Pass } from './pass.ts';
import { tellOfMoves, tellOfRejection } from './tell-of-moves.ts';

type ReportDeps = {
  readonly clock: Clock;
  readonly log: Logger;
  readonly report: Reporter;
  readonly counters: Counters;
};

/** What one pass found: how much there is to do for each reason, what budgets close, and what came of a proposal. */
export function tellOfPass(deps: ReportDeps, pass: Pass, seen: DisruptionSnapshot | undefined): void {
  for (const [reason, nodes] of eligibleByReason(pass.evaluations)) {
    deps.counters.nodesEligible(reason, nodes.size);
    if (seen !== undefined && nodes.size > 0) tellOfClosedBudgets(deps, seen, reason);
  }
  for (const remark of pass.evaluations.flatMap(({ plan }) => plan.unconsolidatable ?? []))
    for (const report of reportUnconsolidatable(remark)) deps.report(report);
  for (const evaluation of pass.evaluations) tellOfMoves(deps, evaluation);
  if (pass.validation !== undefined) tellOfDropped(deps, pass.validation);
}

/** Methods of one reason may be there for the same nodes. */
function eligibleByReason(
  evaluations: readonly MethodEvaluation[],
): ReadonlyMap<DisruptionReason, ReadonlySet<NodeState>> {
  const byReason = new Map<DisruptionReason, Set<NodeState>>();
  for (const { method, plan } of evaluations)
    byReason.set(method.reason, new Set([...(byReason.get(method.reason) ?? []), ...plan.eligible]));
  return byReason;
}

/** Pools that have nodes, and whose budgets let none of them go for the reason now. */
function tellOfClosedBudgets({ clock, report }: ReportDeps, seen: DisruptionSnapshot, reason: DisruptionReason): void {
  const counts = countsByPool(seen.nodes);
  for (const { nodePool } of [...seen.supplies, ...(seen.staticSupplies ?? [])]) {
    const total = counts.get(nodePool.metadata.name)?.total ?? 0;
    if (total > 0 && allowanceOfBudget(nodePool.spec.disruption?.budgets, total, { reason, now: clock.now() }) === 0)
      report(blockedByBudget(nodePool, reason));
  }
}

function tellOfDropped(deps: ReportDeps, { of, dropped }: NonNullable<Pass['validation']>): void {
  const { counters, log } = deps;
  for (const { claim, because } of dropped) {
    counters.validationFailed(of.method, because);
    log.debug('leaving node alone after all', { method: of.method.name, NodeClaim: { name: claim }, because });
  }
  if (of.method.reason === 'Underutilized') tellOfRejection(deps, of.command, dropped);
}
