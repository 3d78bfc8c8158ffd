import type { Instant } from '@nodewright/apis';

/** Nodes that were launched for pods became ready, and the pods did not bind to them. */
export type FutileLaunch = {
  /** The node that was looked at. */
  readonly node: string;
  /** Why the node does not take the pods: a clause. */
  readonly why: string;
  /** How many launches were in vain. */
  readonly attempts: number;
  /** When the next node is launched; `undefined` while one is on its way. */
  readonly until?: Instant;
  /** NodePools that launch no other node for such pods. */
  readonly closed: ReadonlySet<string>;
};
