import type { DisruptionSnapshot as DisruptionProblem, SchedulingOptions } from '@nodewright/engine';
import { disruptionCommands, hasBegun, type DisruptionCommand } from '../../state/disruption-command.ts';
import { observeRound, type RoundSources } from '../provisioning/observe.ts';

/** The commands under way, and what the choice of a new one depends on. */
export type DisruptionSnapshot = {
  readonly commands: readonly DisruptionCommand[];
  readonly problem: DisruptionProblem;
  /** Every claim has its instance; before, nothing new is begun. */
  readonly isSynced: boolean;
};

export async function observeDisruption(
  sources: RoundSources & { readonly options: SchedulingOptions },
  signal: AbortSignal,
): Promise<DisruptionSnapshot> {
  const { objects, state, options } = sources;
  const commands = disruptionCommands(objects.nodeClaims.list());
  const isSynced = state.isSynced();
  const round = await observeRound(sources, signal);
  const problem = {
    supplies: round.supplies,
    nodes: [...round.nodes, ...round.leavingNodes],
    queued: new Set(
      commands.filter(hasBegun).flatMap(({ candidates }) => candidates.map(({ metadata }) => metadata.name)),
    ),
    pendingPods: round.pending,
    daemonPods: round.daemonPods,
    namespaces: round.namespaces,
    volumeRequirements: round.volumeRequirements,
    attachedVolumes: round.attachedVolumes,
    defaultSpread: round.defaultSpread,
    podDisruptionBudgets: round.budgets,
    options,
  };
  return { commands, isSynced, problem };
}
