import { disruptedTaint, isConditionTrue } from '@nodewright/apis';
import { budgetComplaints, type SchedulingOptions } from '@nodewright/engine';
import { recheckAt, settled, type Result } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import { hasTaint } from '../../state/taints.ts';
import type { RoundSources } from '../provisioning/observe.ts';
import { observeDisruption } from './observe.ts';
import { performDisruption, type DisruptionDeps } from './perform.ts';
import { planDisruption } from './plan.ts';

type LoopDeps = DisruptionDeps & RoundSources & { readonly options: SchedulingOptions };

/** `disruption` and `disruption.queue`: goes on with the commands under way, and starts one more when it may. */
export function disruptionLoop(deps: LoopDeps): (signal: AbortSignal) => Promise<Result> {
  return async (signal) => {
    if (!isAnythingToDo(deps.objects)) return settled; // a change of a claim wakes the loop
    const seen = await observeDisruption(deps, signal);
    tellOfBudgetErrors(deps);
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

const isAnythingToDo = ({ nodeClaims, nodes }: Objects): boolean =>
  nodeClaims.list().some((claim) => isConditionTrue(claim, 'Drifted') || isConditionTrue(claim, 'DisruptionReason')) ||
  nodes.list().some(({ spec }) => hasTaint(spec?.taints, disruptedTaint));
