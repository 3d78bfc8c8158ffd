import { earliest, type Instant } from '@nodewright/apis';
import { disruptionMethods, type DisruptionMethod, type SchedulingOptions } from '@nodewright/engine';
import { recheckAt, restAndPoll, settled, type Clock, type Result } from '@nodewright/runtime';
import { pollAtOrAfter } from '../../state/poll-times.ts';
import type { NotableChanges } from '../../state/notable-changes.ts';
import type { Objects } from '../../state/objects.ts';
import type { PriceBook } from '../../state/price-book.ts';
import type { RoundSources } from '../provisioning/observe.ts';
import { consolidationMethods } from './consolidation.ts';
import type { DisruptionMemory } from './memory.ts';
import { observeDisruption, type ObservedDisruption } from './observe.ts';
import type { Pass } from './pass.ts';
import { performDisruption, type DisruptionDeps } from './perform.ts';
import { planDisruption, disruptionPollMs } from './plan.ts';
import { reportBudgetErrors, reportPass, type MethodDuration } from './report.ts';
import { continueSearch } from './search-progress.ts';
import type { SettledPass } from './settled-pass.ts';

export type DisruptionLoopDeps = DisruptionDeps &
  RoundSources & {
    readonly options: SchedulingOptions;
    /** The gate `SpotToSpotConsolidation`. */
    readonly spotToSpot: boolean;
    readonly memory: DisruptionMemory;
    readonly changes: NotableChanges;
    readonly settledPass: SettledPass;
    readonly prices: PriceBook;
  };

/** `disruption` and `disruption.queue`: goes on with the commands under way, and starts others when it may. */
export function disruptionLoop(deps: DisruptionLoopDeps): (signal: AbortSignal) => Promise<Result> {
  const { memory, changes, settledPass, clock, objects, publish } = deps;
  return async (signal) => {
    const change = changes.latest();
    const methods = methodsOf(deps, change);
    const awake = methods.filter((method) => !memory.isResting(method, change, clock.now()));
    if (!isAnythingToDo(deps, awake)) return rest(deps, methods, change);

    settledPass.begin();
    const seen = await observeDisruption(deps, clock.now(), signal);
    const { methods: asked, durations } = measureMethods(awake, clock);
    const plan = planDisruption(seen, asked, { proposal: memory.proposal, now: clock.now() });

    publish(reportBudgetErrors(objects.nodePools.list()));
    if (plan.pass !== undefined) reportAndRemember(deps, plan.pass, { seen, durations, change });
    learnPrices(deps.prices, seen);
    for (const action of plan.actions) await performDisruption(deps, action);
    memory.proposal = plan.proposal; // last: what could not be started is validated again
    settledPass.end(seen, plan);
    return recheckAt(plan.recheckAt);
  };
}

/** In the order in which they are asked. */
const methodsOf = ({ spotToSpot, memory }: DisruptionLoopDeps, change: number): readonly DisruptionMethod[] => [
  ...disruptionMethods,
  ...consolidationMethods({ spotToSpot, search: memory.search, change }),
];

type MadePass = {
  readonly seen: ObservedDisruption;
  readonly durations: readonly MethodDuration[];
  readonly change: number;
};

function reportAndRemember(
  { memory, clock, publish }: DisruptionLoopDeps,
  pass: Pass,
  { seen: { problem }, durations, change }: MadePass,
): void {
  const { search } = memory;
  const now = clock.now();
  publish(reportPass({ pass, problem, durations, search, now }));
  memory.note(pass.evaluations, change, now);
  memory.search = continueSearch(pass, { search, change, now });
}

function learnPrices(prices: PriceBook, { problem }: ObservedDisruption): void {
  for (const { nodePool, instanceTypes } of [...(problem?.supplies ?? []), ...(problem?.staticSupplies ?? [])])
    prices.learn(nodePool.metadata.name, instanceTypes);
}

/** The cluster is put together for a decision only when there may be one. */
function isAnythingToDo(deps: DisruptionLoopDeps, awake: readonly DisruptionMethod[]): boolean {
  const { objects, memory, settledPass, clock } = deps;
  if (isUrgent(objects) && !settledPass.holds(clock.now())) return true;
  if (memory.proposal !== undefined) return clock.now() >= memory.proposal.checkAt;
  return awake.some(({ consolidationType }) => consolidationType !== undefined) && hasNodes(objects);
}

// While a cluster grows, every claim that gets on is a reason to ask, so the claims are not all gone through for it.
const isUrgent = ({ nodeClaims, nodes }: Objects): boolean =>
  nodeClaims.by('stage', 'toGo').length + nodes.by('disruption', 'tainted').length > 0;

const hasNodes = ({ nodeClaims }: Objects): boolean => nodeClaims.by('stage', 'initialized').length > 0;

/** Polls on, and sleeps until a poll can find something to do. */
function rest(deps: DisruptionLoopDeps, methods: readonly DisruptionMethod[], change: number): Result {
  const now = deps.clock.now();
  if (!hasNodes(deps.objects)) return settled;
  const { proposal } = deps.memory;
  if (proposal !== undefined) return restAndPoll(disruptionPollMs, proposal.checkAt);
  const held = isUrgent(deps.objects) ? deps.settledPass.lastsUntil() : undefined;
  const next = earliest(held, nextDisruptionLook(deps, methods, change));
  return restAndPoll(disruptionPollMs, next && pollAtOrAfter(next, { now, everyMs: disruptionPollMs }));
}

/** When a method is awake again, or the cluster is looked at without a change: `undefined` when only a change brings that. */
function nextDisruptionLook(
  { memory, changes }: Pick<DisruptionLoopDeps, 'memory' | 'changes'>,
  methods: readonly DisruptionMethod[],
  change: number,
): Instant | undefined {
  const searches = methods.filter(({ consolidationType }) => consolidationType !== undefined);
  return earliest(changes.nextLook(), ...searches.map((method) => memory.restsUntil(method, change)));
}

/** The same methods, and how long each of them takes that is asked. */
function measureMethods(
  methods: readonly DisruptionMethod[],
  clock: Clock,
): { readonly methods: readonly DisruptionMethod[]; readonly durations: readonly MethodDuration[] } {
  const durations: MethodDuration[] = [];
  const measured = methods.map((method) => ({
    ...method,
    plan: (...asked: Parameters<DisruptionMethod['plan']>) => {
      const begun = clock.now();
      const plan = method.plan(...asked);
      durations.push({ method, tookMs: clock.now() - begun });
      return plan;
    },
  }));
  return { methods: measured, durations };
}
