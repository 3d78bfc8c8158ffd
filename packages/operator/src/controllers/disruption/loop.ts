import { disruptedTaint, isConditionTrue } from '@nodewright/apis';
import { budgetComplaints, disruptionsAllowed, poolCounts, type SchedulingOptions } from '@nodewright/engine';
import { recheckAt, settled, type Result } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import { hasTaint } from '../../state/taints.ts';
import type { RoundSources } from '../provisioning/observe.ts';
import { blockedByBudget } from '../../reporting/pool-reports.ts';
import { observeDisruption, type DisruptionSnapshot } from './observe.ts';
import { performDisruption, type DisruptionDeps } from './perform.ts';
import { planDisruption } from './plan.ts';

type LoopDeps = DisruptionDeps & RoundSources & { readonly options: SchedulingOptions };

/** `disruption` and `disruption.queue`: goes on with the commands under way, and starts one more when it may. */
export function disruptionLoop(deps: LoopDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    if (!isAnythingToDo(deps.objects)) return settled; // a change of a claim wakes the loop
    const seen = await observeDisruption(deps, deps.clock.now(), signal);
    tellOfBudgetErrors(deps);
    tellOfClosedBudgets(deps, seen);
    const plan = planDisruption(seen, deps.clock.now());
    for (const action of plan.actions) await performDisruption(deps, action);
    return recheckAt(plan.recheckAt);
  };
}

/** A budget that cannot be read allows nothing, so somebody should hear of it. */
function tellOfBudgetErrors({ objects, log }: LoopDeps): void {
  const errors = objects.nodePools
    .list()
    .flatMap(({ metadata, spec }) =>
      budgetComplaints(spec.disruption?.budgets).map(({ message }) => `${metadata.name}: ${message}`),
    );
  if (errors.length > 0) log.error('detected disruption budget errors', { errors });
}

/** Pools that have nodes, and whose budgets let none of them drift now. */
function tellOfClosedBudgets({ clock, report }: LoopDeps, { problem }: DisruptionSnapshot): void {
  const at = { reason: 'Drifted', now: clock.now() } as const;
  if (problem === undefined) return;
  for (const { nodePool } of problem.supplies) {
    const counts = poolCounts(nodePool.metadata.name, problem.nodes);
    if (counts.total > 0 && disruptionsAllowed(nodePool.spec.disruption?.budgets, counts, at) === 0)
      report(blockedByBudget(nodePool, at.reason));
  }
}

const isAnythingToDo = ({ nodeClaims, nodes }: Objects): boolean =>
  nodeClaims.list().some((claim) => isConditionTrue(claim, 'Drifted') || isConditionTrue(claim, 'DisruptionReason')) ||
  nodes.list().some(({ spec }) => hasTaint(spec?.taints, disruptedTaint));
