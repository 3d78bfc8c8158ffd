import { disruptedTaint, isConditionTrue } from '@nodewright/apis';
import { budgetComplaints, type DisruptionMethod, type SchedulingOptions } from '@nodewright/engine';
import { recheckAt, settled, type Result } from '@nodewright/runtime';
import type { Objects } from '../../state/objects.ts';
import { hasTaint } from '../../state/taints.ts';
import type { RoundSources } from '../provisioning/observe.ts';
import { observeDisruption } from './observe.ts';
import type { DisruptionMemory } from './memory.ts';
import { performDisruption, type DisruptionDeps } from './perform.ts';
import { planDisruption } from './plan.ts';
import { tellOfPass } from './pass-reports.ts';

type LoopDeps = DisruptionDeps &
  RoundSources & {
    readonly options: SchedulingOptions;
    /** In the order in which they are asked. */
    readonly methods: readonly DisruptionMethod[];
    readonly memory: DisruptionMemory;
  };

/** `disruption` and `disruption.queue`: goes on with the commands under way, and starts others when it may. */
export function disruptionLoop(deps: LoopDeps): (signal: AbortSignal) => Promise<Result> {
  const methods = deps.methods.map((method) => measured(method, deps));
  const { memory } = deps;
  return async (signal) => {
    if (!isAnythingToDo(deps.objects)) return settled; // a change of a claim wakes the loop
    const seen = await observeDisruption(deps, deps.clock.now(), signal);
    tellOfBudgetErrors(deps);
    const plan = planDisruption(seen, methods, { proposal: memory.proposal, now: deps.clock.now() });
    if (plan.pass !== undefined) tellOfPass(deps, plan.pass, seen.problem);
    for (const action of plan.actions) await performDisruption(deps, action);
    memory.proposal = plan.proposal; // last: what could not be started is validated again
    return recheckAt(plan.recheckAt);
  };
}

const measured = (method: DisruptionMethod, { clock, counters }: LoopDeps): DisruptionMethod => ({
  ...method,
  plan: (seen, now) => {
    const begun = clock.now();
    const plan = method.plan(seen, now);
    counters.methodEvaluated(method, clock.now() - begun);
    return plan;
  },
});

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
