import type { Instant } from '@nodewright/apis';

/** What one run of a forecast saw. */
export type RunRecord = {
  /** When the change was made. */
  readonly at: Instant;
  readonly until: Instant;
  /** Nodes that were there at the beginning, and those that came. */
  readonly nodes: readonly RunNode[];
  readonly evictions: readonly RunEviction[];
  readonly workloads: readonly RunWorkload[];
  readonly services: readonly RunService[];
  readonly rollouts: readonly RunRollout[];
  /** Node groups that are not what they are to be at the end. */
  readonly groups: readonly RunGroup[];
  /** How many nodes there were, and what they cost, after each change of it. */
  readonly fleet: readonly FleetMoment[];
  /** Pods without a place at the end, and since when. */
  readonly unschedulable: readonly { readonly pod: string; readonly since: Instant }[];
  readonly hashes: readonly { readonly about: string; readonly before: string; readonly after: string }[];
};

export type RunNode = {
  /** Its NodeClaim; of a node group, the name of the node. */
  readonly claim: string;
  readonly node?: string;
  /** Empty for a node of a group. */
  readonly nodePool: string;
  readonly nodeGroup?: string;
  readonly instanceType?: string;
  readonly zone?: string;
  readonly capacityType?: string;
  readonly isFromBefore: boolean;
  readonly createdAt: Instant;
  readonly initializedAt?: Instant;
  /** When its replacement began. */
  readonly chosenAt?: Instant;
  /** When it began to leave. */
  readonly leavesAt?: Instant;
  readonly goneAt?: Instant;
  /** The disruption command that it is to leave by. */
  readonly command?: string;
  /** The disruption command that it was launched for. */
  readonly launchedBy?: string;
  /** Why it went, or is to go: `AMIDrift`, `Expired`, `Underutilized`. */
  readonly reason?: string;
  /** What keeps it at the end. */
  readonly heldBy?: string;
};

export type RunEviction = {
  readonly at: Instant;
  readonly pod: string;
  readonly workload: string;
  readonly from: string;
};

export type RunWorkload = {
  readonly workload: string;
  readonly readyBefore: number;
  readonly leastReady: number;
  /** Seconds with fewer ready pods than its PodDisruptionBudget wants. */
  readonly secondsBelow: number;
  /** Seconds without any ready pod, of a workload that had some. */
  readonly secondsWithoutReady: number;
};

export type RunService = { readonly service: string; readonly secondsWithoutEndpoint: number };

export type RunRollout = {
  readonly name: string;
  readonly state: string;
  readonly waves: readonly { readonly name: string; readonly startedAt?: string; readonly endedAt?: string }[];
  /** A wave that a person has to approve. */
  readonly waitsFor?: string;
  readonly haltedBecause?: string;
  readonly expectedEnd?: string;
  /** Nodes that it has still to move, while it is not over. */
  readonly nodesLeft: number;
};

export type RunGroup = {
  readonly group: string;
  /** `Blocked`, `Failed`, `Outdated` or `Updating`. */
  readonly phase: string;
  readonly reason: string;
  /** Nodes that are not on the target. */
  readonly nodesLeft: number;
};

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export type FleetMoment = {
  readonly at: Instant;
  readonly nodes: number;
  readonly vcpus: number;
  readonly microUsdPerHour: number;
};

/** A node that was there, is to go, and is there at the end. */
export const isLeft = ({ isFromBefore, reason, goneAt }: RunNode): boolean =>
  isFromBefore && reason !== undefined && goneAt === undefined;

/** How many nodes are left: those that were chosen, those of groups that no update got to, and those that no wave got to. */
export function countLeftNodes({ nodes, groups, rollouts }: Pick<RunRecord, 'nodes' | 'groups' | 'rollouts'>): number {
  const left = nodes.filter(isLeft);
  const untouched = groups.map(({ group, nodesLeft }) =>
    Math.max(0, nodesLeft - left.filter(({ nodeGroup }) => nodeGroup === group).length),
  );
  const counted = left.length + untouched.reduce((sum, count) => sum + count, 0);
  // Nodes of a rollout may be among both: they count once.
  return Math.max(
    counted,
    rollouts.reduce((sum, { nodesLeft }) => sum + nodesLeft, 0),
  );
}
