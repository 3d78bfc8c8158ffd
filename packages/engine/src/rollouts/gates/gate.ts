import { type Instant, toTimestamp } from '@nodewright/apis';

/** What keeps a node from being replaced, in numbers, and when it could pass at the earliest. */
export type MoveBlocker = {
  readonly gate:
    | 'policy'
    | 'halt'
    | 'pause'
    | 'approval'
    | 'window'
    | 'blackout'
    | 'wave'
    | 'check'
    | 'neighbour'
    | 'pace'
    | 'surge'
    | 'addresses'
    | 'quota'
    | 'backOff'
    | 'lastEndpoint'
    | 'parked'
    | 'unexpectedDrift'
    | 'failure';
  /** One sentence without a full stop. */
  readonly message: string;
  readonly until?: Instant;
};

/** Why a node is not replaced now: everything that keeps it, in the order of the gates. */
export type HeldMove = { readonly node: string; readonly blockers: readonly MoveBlocker[] };

/** The blocker as one clause: its message, and when it could pass. */
export function printMoveBlocker({ gate, message, until }: MoveBlocker): string {
  if (until === undefined) return message;
  return gate === 'parked'
    ? `${message}; it is tried again when that changes, and at ${toTimestamp(until)} at the latest`
    : `${message}, until ${toTimestamp(until)} at the earliest`;
}
