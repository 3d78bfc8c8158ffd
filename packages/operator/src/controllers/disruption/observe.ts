import { oncePerPair, type Instant, type NodePool } from '@nodewright/apis';
import type { DisruptionSnapshot as DisruptionProblem, NodeState, SchedulingOptions } from '@nodewright/engine';
import { hasBegun, storedCommands, type StoredCommand } from '../../state/disruption-command.ts';
import {
  claimsAwaitingVerdict,
  claimsKeptByPolicy,
  claimsTakenBack,
  watchedClaims,
} from '../../state/rollout-seats.ts';
import { isManagedNodeClass } from '../../state/managed.ts';
import { isReadyPool, observeRound, suppliesOf, type RoundSources } from '../provisioning/observe.ts';
import { judgeRound } from '../provisioning/plan.ts';
import { needsOnlyTime, planCommands } from './command-plan.ts';

/** The commands under way, and what the choice of a new one depends on. */
export type ObservedDisruption = {
  readonly commands: readonly StoredCommand[];
  /** What a new one is chosen from; not looked at before it is time for one. */
  readonly problem: DisruptionProblem | undefined;
};

type DisruptionSources = RoundSources & { readonly options: SchedulingOptions };

/** One more is begun only while every claim has its instance, and those under way need nothing but time. */
export async function observeDisruption(
  sources: DisruptionSources,
  now: Instant,
  signal: AbortSignal,
): Promise<ObservedDisruption> {
  const commands = storedCommands(sources.objects);
  const isTime = !sources.state.launches.isAwaited(now) && planCommands(commands, now).every(needsOnlyTime);
  return { commands, problem: isTime ? await disruptionProblem(sources, now, signal) : undefined };
}

/** What a disruption is decided on, as the cluster is now. */
export async function disruptionProblem(
  sources: DisruptionSources,
  now: Instant,
  signal: AbortSignal,
): Promise<DisruptionProblem> {
  const underWay = storedCommands(sources.objects).filter(hasBegun);
  const round = await observeRound(sources, now, signal);
  const staticPools = sources.objects.nodePools.list().filter(isStatic);
  const { supplies: staticSupplies } = await suppliesOf(
    sources,
    { pools: staticPools.filter(isReadyPool), now },
    signal,
  );
  const { promised, held } = judgeRound(round, now);
  return {
    supplies: round.supplies,
    staticPools: new Set(staticPools.map(({ metadata }) => metadata.name)),
    staticSupplies,
    nodes: allNodes(round.nodes, round.leavingNodes),
    queued: new Set([
      ...underWay.flatMap(({ candidates }) => candidates.map(({ metadata }) => metadata.name)),
      ...claimsAwaitingVerdict(sources.objects),
      ...claimsKeptByPolicy(sources.objects),
    ]),
    pendingPods: round.pending,
    virtualPods: round.virtualPods,
    daemonPods: round.daemonPods,
    namespaces: round.namespaces,
    volumeRequirements: round.volumeRequirements,
    attachedVolumes: round.attachedVolumes,
    defaultSpread: round.defaultSpread,
    podDisruptionBudgets: round.budgets,
    promised,
    held,
    pauses: sources.objects.pauses.list(),
    watched: watchedClaims(sources.objects),
    takenBack: claimsTakenBack(sources.objects),
    options: sources.options,
  };
}

/** The same list as long as no node changes: what was worked out from it holds. */
const allNodes = oncePerPair((staying: readonly NodeState[], leaving: readonly NodeState[]): readonly NodeState[] =>
  leaving.length === 0 ? staying : [...staying, ...leaving],
);

const isStatic = ({ spec }: NodePool): boolean =>
  spec.replicas !== undefined && isManagedNodeClass(spec.template.spec.nodeClassRef);
