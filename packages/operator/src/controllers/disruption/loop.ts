import { disruptedTaint, instant, isConditionTrue, type Instant } from '@nodewright/apis';
import { budgetComplaints, type DisruptionMethod, type SchedulingOptions } from '@nodewright/engine';
import { recheckAt, settled, type Result } from '@nodewright/runtime';
import type { NotableChanges } from '../../state/notable-changes.ts';
import type { Objects } from '../../state/objects.ts';
import { hasTaint } from '../../state/taints.ts';
import type { RoundSources } from '../provisioning/observe.ts';
import type { DisruptionMemory } from './memory.ts';
import { observeDisruption } from './observe.ts';
import { performDisruption, type DisruptionDeps } from './perform.ts';
import { planDisruption, disruptionPollMs } from './plan.ts';
import { tellOfPass } from './pass-reports.ts';

type LoopDeps = DisruptionDeps &
  RoundSources & {
    readonly options: SchedulingOptions;
    /** In the order in which they are asked. */
    readonly methods: readonly DisruptionMethod[];
    readonly memory: DisruptionMemory;
    readonly changes: NotableChanges;
  };

/** `disruption` and `disruption.queue`: goes on with the commands under way, and starts others when it may. */
export function disruptionLoop(deps: LoopDeps): (signal: AbortSignal) => Promise<Result> {
  const { memory, changes, clock } = deps;
  return async (signal) => {
    const change = changes.latest();
    const awake = deps.methods.filter((method) => !memory.isResting(method, change, clock.now()));
    if (!isAnythingToDo(deps, awake)) return rest(deps);
    const seen = await observeDisruption(deps, clock.now(), signal);
    tellOfBudgetErrors(deps);
    const methods = awake.map((method) => measureMethod(method, deps));
    const plan = planDisruption(seen, methods, { proposal: memory.proposal, now: clock.now() });
    if (plan.pass !== undefined) {
      memory.note(plan.pass.evaluations, change, clock.now());
      tellOfPass(deps, plan.pass, seen.problem);
    }
    for (const action of plan.actions) await performDisruption(deps, action);
    memory.proposal = plan.proposal; // last: what could not be started is validated again
    return recheckAt(plan.recheckAt);
  };
}

/** The cluster is put together for a decision only when there may be one. */
function isAnythingToDo({ objects, memory, clock }: LoopDeps, awake: readonly DisruptionMethod[]): boolean {
  if (isUrgent(objects)) return true;
  if (memory.proposal !== undefined) return clock.now() >= memory.proposal.checkAt;
  return awake.some(({ consolidationType }) => consolidationType !== undefined) && hasNodes(objects);
}

const isUrgent = ({ nodeClaims, nodes }: Objects): boolean =>
  nodeClaims.list().some((claim) => isConditionTrue(claim, 'Drifted') || isConditionTrue(claim, 'DisruptionReason')) ||
  nodes.list().some(({ spec }) => hasTaint(spec?.taints, disruptedTaint));

const hasNodes = ({ nodeClaims }: Objects): boolean =>
  nodeClaims.list().some((claim) => isConditionTrue(claim, 'Initialized'));

/** A change of a claim wakes the loop; what else may have happened is looked for from time to time. */
function rest({ objects, clock, memory }: LoopDeps): Result {
  const checkAt: Instant | undefined = memory.proposal?.checkAt;
  return hasNodes(objects)
    ? recheckAt(instant(Math.min(clock.now() + disruptionPollMs, checkAt ?? Infinity)))
    : settled;
}

const measureMethod = (method: DisruptionMethod, { clock, counters }: LoopDeps): DisruptionMethod => ({
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
