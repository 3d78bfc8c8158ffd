import type { NodeState } from '../../cluster/node-state.ts';
import type { MoveScore } from './balance.ts';
import type { ConsolidationMove } from './move.ts';
import type { ConsolidationRefusal } from './refusal.ts';

/** A move that would work, and how it weighs for pools with the Balanced policy. */
export type WeighedMove = { readonly move: ConsolidationMove; readonly scores: readonly MoveScore[] };

export type RefusedNode = { readonly node: NodeState; readonly refusal: ConsolidationRefusal };

/** The result of a search for a move. */
export type SearchOutcome = {
  readonly found?: WeighedMove;
  /** Moves that would work and that some pool finds not worth their disruption. */
  readonly outweighed: readonly WeighedMove[];
  /** Nodes that cannot go by themselves, and why. */
  readonly refused: readonly RefusedNode[];
  /** Names of the claims that were looked at. */
  readonly looked: readonly string[];
  /** Whether some node was passed over for a disruption budget alone. */
  readonly isHeldByBudgets: boolean;
  /** Whether one of its limits ended it. */
  readonly isCutShort: boolean;
};
