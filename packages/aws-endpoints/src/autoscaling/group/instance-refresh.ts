import type { Instant } from '@nodewright/apis';
import type { LaunchConfiguration } from './launch-configuration.ts';

export type RefreshPreferences = {
  /** In percent of the desired capacity. */
  readonly minHealthy: number;
  /** Above a hundred new instances come before old ones go; so they do when a hundred is said, and nothing else fits. */
  readonly maxHealthy?: number;
  /** How long a new instance is in service before it counts. */
  readonly warmupSeconds: number;
  /** Percentages at which to rest, ascending; what lies beyond the last one stays as it is. */
  readonly checkpoints: readonly number[];
  readonly checkpointDelaySeconds: number;
  readonly skipMatching: boolean;
  /** How long it is watched after the last instance. */
  readonly bakeSeconds: number;
  /** Whether a refresh that fails gives the instances their old configuration back. */
  readonly autoRollback: boolean;
  /** Alarms that make it fail. */
  readonly alarms: readonly string[];
  readonly protectedInstances: 'Refresh' | 'Ignore' | 'Wait';
  readonly standbyInstances: 'Terminate' | 'Ignore' | 'Wait';
};

export type RefreshStatus =
  | 'Pending'
  | 'InProgress'
  | 'Baking'
  | 'Successful'
  | 'Failed'
  | 'Cancelling'
  | 'Cancelled'
  | 'RollbackInProgress'
  | 'RollbackSuccessful'
  | 'RollbackFailed';

/** How much of it was done: a whole percentage, and the instances still to be replaced. */
export type RefreshCount = { readonly percentage: number; readonly left: number };

export type Rollback = {
  readonly reason: string;
  readonly startedAt: Instant;
  /** What the refresh had done before. */
  readonly before: RefreshCount;
};

export type InstanceRefresh = {
  readonly id: string;
  readonly status: RefreshStatus;
  readonly reason?: string;
  readonly startedAt: Instant;
  readonly endedAt?: Instant;
  /** What the group launches from its start on, and for good once it is done; without it the group's own. */
  readonly wanted?: LaunchConfiguration;
  /** The instances that the refresh replaces: those of its start, or, in a rollback, those launched since. */
  readonly toReplace: readonly string[];
  readonly preferences: RefreshPreferences;
  /** How many checkpoints lie behind it. */
  readonly passed: number;
  /** While it rests at a checkpoint. */
  readonly restsUntil?: Instant | undefined;
  readonly bakesUntil?: Instant;
  /** The last progress: when it was, how many instances are left to replace, and how many are in service. */
  readonly progress?: { readonly left: number; readonly ready: number; readonly at: Instant } | undefined;
  readonly rollback?: Rollback;
  /** How it stood when it ended. */
  readonly result?: RefreshCount;
};

const runningStatuses: readonly RefreshStatus[] = [
  'Pending',
  'InProgress',
  'Baking',
  'Cancelling',
  'RollbackInProgress',
];

export const isRunning = ({ status }: InstanceRefresh): boolean => runningStatuses.includes(status);

type Refreshed = { readonly refreshes: readonly InstanceRefresh[] };

export const runningRefresh = ({ refreshes }: Refreshed): InstanceRefresh | undefined => refreshes.find(isRunning);

/** A group as it launches now: in the configuration that its refresh moves it to. */
export function asLaunching<Which extends Refreshed & LaunchConfiguration>(group: Which): Which {
  const { wanted, status } = runningRefresh(group) ?? {};
  const isAhead = status === 'InProgress' || status === 'Baking';
  return wanted !== undefined && isAhead ? { ...group, ...wanted } : group;
}

/** With the running refresh in its new state. */
export const withRefresh = ({ refreshes }: Refreshed, changed: InstanceRefresh): readonly InstanceRefresh[] =>
  refreshes.map((each) => (each.id === changed.id ? changed : each));
