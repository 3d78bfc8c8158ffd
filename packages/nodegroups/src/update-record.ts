import type { Instant } from '@nodewright/apis';

/** What the group is to become. */
export type GroupConfigurationTarget = {
  readonly configuration: string;
  /** What a node carries that was launched from it. */
  readonly labels: Readonly<Record<string, string>>;
};

export type Strategy = 'DEFAULT' | 'MINIMAL';

export type FailureCode =
  | 'NodeCreationFailure'
  | 'PodEvictionFailure'
  | 'AccessDenied'
  | 'ClusterUnreachable'
  | 'Unknown';

export type UpdateFailure = {
  readonly code: FailureCode;
  readonly message: string;
  /** Node names for evictions, instance ids for launches. */
  readonly resourceIds: readonly string[];
};

/** A node on its way out. */
export type Drain = {
  readonly since: Instant;
  readonly attemptedAt?: Instant;
  readonly cordonedAt?: Instant;
};

export type Phase = 'setup' | 'scaleUp' | 'upgrade' | 'scaleDown' | 'revert' | 'restore' | 'successful' | 'failed';

/** An update of some nodes of a group, while the others stay as they are. */
export type NodesOfUpdate = {
  /** The instances that are replaced. Those that are given up are taken out. */
  readonly ids: readonly string[];
  /** Instances that had the configuration of the target before. */
  readonly known: readonly string[];
  /** The configuration that the group launches from when no replacement is being launched. */
  readonly rest: string;
  /** The replacements, once all of them were launched. */
  readonly made?: readonly string[];
};

type Sizes = { readonly max: number; readonly desired: number };

/**
 * All that an update has to remember. Plain JSON: the host stores it before it performs the actions that
 * came with it, and what was lost in between is asked for again.
 */
export type UpdateRecord = {
  readonly target: GroupConfigurationTarget;
  readonly strategy: Strategy;
  readonly force: boolean;
  /** What becomes of new nodes after a failure in the upgrade phase. */
  readonly onFailure: 'leave' | 'revert';
  /**
   * `replace` keeps the surplus to the end, as EKS does, which drains what the group ends. `shrink` spends
   * it on the first nodes that go, and drains what is left of it.
   */
  readonly terminations: 'replace' | 'shrink';
  /** Processes of the group that must not run meanwhile. */
  readonly suspend: readonly string[];
  readonly parallel: number;
  readonly before: Sizes & { readonly configuration: string };
  readonly surge: number;
  readonly phase: Phase;
  readonly since: Instant;
  readonly drains: Readonly<Record<string, Drain>>;
  /** The last step of the scale down. */
  readonly step?: Sizes & { readonly at: Instant };
  /** How many new nodes were ready, and since when no more of them are. */
  readonly joined?: { readonly count: number; readonly at: Instant };
  /** Present where the update is about some nodes only. */
  readonly nodes?: NodesOfUpdate;
  readonly failure?: UpdateFailure;
  readonly failedIn?: Phase;
};

export type NewUpdate = Pick<UpdateRecord, 'target' | 'strategy' | 'parallel' | 'before'> &
  Partial<Pick<UpdateRecord, 'force' | 'onFailure' | 'terminations' | 'suspend' | 'nodes'>>;

/** Freezes what holds for the whole update: target, strategy, parallelism, and the sizes to come back to. */
export const beginUpdate = (update: NewUpdate, now: Instant): UpdateRecord => ({
  force: false,
  onFailure: 'leave',
  terminations: 'replace',
  suspend: [],
  ...update,
  surge: 0,
  phase: 'setup',
  since: now,
  drains: {},
});

export const enterPhase = (record: UpdateRecord, phase: Phase, now: Instant): UpdateRecord => ({
  ...record,
  phase,
  since: now,
  drains: {},
});

/** Ends the way forward; what is left to do is tidying up. */
export function failUpdate(record: UpdateRecord, failure: UpdateFailure, now: Instant): UpdateRecord {
  if (record.failure !== undefined) return record;
  const failed = { ...record, failure, failedIn: record.phase };
  const turnsAround = record.phase === 'upgrade' && record.onFailure === 'revert' && isOfNodes(failure);
  return enterPhase(failed, turnsAround ? 'revert' : 'restore', now);
}

/** Whether the cluster can still be worked in. */
const isOfNodes = ({ code }: UpdateFailure): boolean => code === 'PodEvictionFailure' || code === 'NodeCreationFailure';

/** Ends the way forward where nodes are still to be replaced; what has been done is tidied up after. */
export const cancelUpdateRecord = (record: UpdateRecord, message: string, now: Instant): UpdateRecord =>
  ['setup', 'scaleUp', 'upgrade'].includes(record.phase)
    ? failUpdate(record, { code: 'Unknown', message, resourceIds: [] }, now)
    : record;

export const isOver = ({ phase }: UpdateRecord): boolean => phase === 'successful' || phase === 'failed';

/** An update of some nodes that is not over. */
export type NodesRecord = UpdateRecord & { readonly nodes: NodesOfUpdate };

export const isOfSomeNodes = (record: UpdateRecord): record is NodesRecord =>
  record.nodes !== undefined && !isOver(record);
