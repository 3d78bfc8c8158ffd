import type { Instant } from '@nodewright/apis';
import type { ClusterControlPlane, Keys } from './control-plane.ts';

/** The decision of one turn: the writes, in order, and when to decide again although nothing changes. */
export type ControllerPlan<Action> = {
  readonly actions: readonly Action[];
  readonly recheckAt?: Instant | undefined;
};

/**
 * The three steps of a turn.
 *
 * Guarantees: a turn observes once, decides once, and performs the actions one after the other. An action that fails
 * ends the turn, and the key gets another turn after a delay.
 *
 * Assumptions: `plan` is pure. The time it decides by is part of the snapshot. An action that was performed in an
 * earlier turn and is planned again does no harm.
 */
export type PlannedController<Snapshot, Action> = {
  readonly name: string;
  /** The least time between two turns of a key [0]. */
  readonly gapMs?: number;
  /** Reads the world. Without a snapshot there is nothing to decide. */
  readonly observe: (key: string) => Snapshot | undefined | Promise<Snapshot | undefined>;
  readonly plan: (snapshot: Snapshot) => ControllerPlan<Action>;
  readonly perform: (action: Action, snapshot: Snapshot) => Promise<void>;
};

/** Starts a controller whose turns observe, plan and perform. */
export function startPlannedController<Snapshot, Action>(
  control: ClusterControlPlane,
  { name, gapMs, observe, plan, perform }: PlannedController<Snapshot, Action>,
): Keys {
  const runTurn = async (key: string): Promise<Instant | undefined> => {
    const snapshot = await observe(key);
    if (snapshot === undefined) return undefined;
    const { actions, recheckAt } = plan(snapshot);
    for (const action of actions) await perform(action, snapshot);
    return recheckAt;
  };
  return control.controller(name, runTurn, gapMs);
}
