import type { Proposal } from './pass.ts';

/** What the disruption loop keeps from one pass to the next. A restart loses nothing that matters. */
export class DisruptionMemory {
  /** Waits to be looked at again before it is carried out. */
  proposal: Proposal | undefined;
}
