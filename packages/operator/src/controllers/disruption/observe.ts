import type { Instant, NodePool } from '@nodewright/apis';
import type { DisruptionSnapshot as DisruptionProblem, SchedulingOptions } from '@nodewright/engine';
import { disruptionCommands, hasBegun, type DisruptionCommand } from '../../state/disruption-command.ts';
import { isManaged } from '../../state/managed.ts';
import { isReady, observeRound, suppliesOf, type RoundSources } from '../provisioning/observe.ts';
import { judgeRound } from '../provisioning/plan.ts';
import { needsOnlyTime, planCommands } from './command-plan.ts';

/** The commands under way, and what the choice of a new one depends on. */
export type DisruptionSnapshot = {
  readonly commands: readonly DisruptionCommand[];
  /** What a new one is chosen from; not looked at before it is time for one. */
  readonly problem: DisruptionProblem | undefined;
};

type Sources = RoundSources & { readonly options: SchedulingOptions };

/** One more is begun only while every claim has its instance, and those under way need nothing but time. */
export async function observeDisruption(
  sources: Sources,
  now: Instant,
  signal: AbortSignal,
): Promise<DisruptionSnapshot> {
  const commands = disruptionCommands(sources.objects.nodeClaims.list());
  const isTime = !sources.state.launches.isAwaited(now) && planCommands(commands, now).every(needsOnlyTime);
  return { commands, problem: isTime ? await disruptionProblem(sources, now, signal) : undefined };
}

/** What a disruption is decided on, as the cluster is now. */
export async function disruptionProblem(
  sources: Sources,
  now: Instant,
  signal: AbortSignal,
): Promise<DisruptionProblem> {
  const underWay = disruptionCommands(sources.objects.nodeClaims.list()).filter(hasBegun);
  const round = await observeRound(sources, now, signal);
  const staticPools = sources.objects.nodePools.list().filter(isStatic);
  const { supplies: staticSupplies } = await suppliesOf(sources, staticPools.filter(isReady), signal);
  const { promised, held } = judgeRound(round, now);
  return {
    supplies: round.supplies,
    staticPools: new Set(staticPools.map(({ metadata }) => metadata.name)),
    staticSupplies,
    nodes: [...round.nodes, ...round.leavingNodes],
    queued: new Set(underWay.flatMap(({ candidates }) => candidates.map(({ metadata }) => metadata.name))),
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
    options: sources.options,
  };
}

const isStatic = ({ spec }: NodePool): boolean =>
  spec.replicas !== undefined && isManaged(spec.template.spec.nodeClassRef);
