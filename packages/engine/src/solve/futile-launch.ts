import type { Instant } from '@nodewright/apis';

/** Nodes were launched for pods and are ready, and the pods did not bind to them. */
export type FutileLaunch = {
  /** The node that was looked at. */
  readonly node: string;
  /** What stands against the pods there: a clause. */
  readonly why: string;
  /** How often nodes were launched in vain, one pause after the other. */
  readonly attempts: number;
  /** When one more node is tried; `undefined` while it is being tried. */
  readonly until?: Instant;
  /** NodePools that launch nothing else for such pods. */
  readonly closed: ReadonlySet<string>;
};
