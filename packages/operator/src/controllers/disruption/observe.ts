import type { NodeState, PoolSupply } from '@nodewright/engine';
import { disruptionCommands, type DisruptionCommand } from '../../state/disruption-command.ts';
import type { PodDisruptionBudget } from '@nodewright/apis';
import { observeRound, type RoundSnapshot, type RoundSources } from '../provisioning/observe.ts';

/** Everything a disruption is decided on. */
export type DisruptionSnapshot = {
  readonly commands: readonly DisruptionCommand[];
  /** All nodes, those that leave too. */
  readonly nodes: readonly NodeState[];
  /** What a scheduling round would see: candidates are chosen by simulating one without them. */
  readonly round: RoundSnapshot;
  readonly supplies: readonly PoolSupply[];
  readonly budgets: readonly PodDisruptionBudget[];
  readonly isSynced: boolean;
};

export async function observeDisruption(sources: RoundSources, signal: AbortSignal): Promise<DisruptionSnapshot> {
  const { objects, state } = sources;
  const commands = disruptionCommands(objects.nodeClaims.list());
  const isSynced = state.isSynced();
  const round = await observeRound(sources, signal);
  return {
    commands,
    isSynced,
    round,
    nodes: [...round.nodes, ...round.leavingNodes],
    supplies: round.supplies,
    budgets: objects.podDisruptionBudgets.list(),
  };
}
