import type { ForecastGroupUpdate, ForecastRelease } from '../run/forecast-change.ts';
import type { FleetMoment, RunRollout, RunService, RunWorkload } from '../run/run-record.ts';

/** The answer of a forecast. Instants are RFC 3339. */
export type ForecastReport = {
  readonly clusterName: string;
  readonly takenAt: string;
  readonly at: string;
  readonly until: string;
  readonly change: {
    readonly manifests: readonly string[];
    readonly releases: readonly ForecastRelease[];
    readonly kubernetesVersion?: string;
    readonly groupUpdates?: readonly ForecastGroupUpdate[];
  };
  readonly runs: number;
  readonly summary: ForecastSummary;
  /** Of the first run. */
  readonly nodes: readonly ForecastNode[];
  readonly workloads: readonly ForecastWorkload[];
  /** Services that were without a ready endpoint for a while. */
  readonly services: readonly RunService[];
  readonly rollouts: readonly RunRollout[];
  readonly fleet: readonly (Omit<FleetMoment, 'at'> & { readonly at: string })[];
  readonly assumptions: readonly ForecastAssumption[];
};

export type ForecastSummary = {
  readonly nodesBefore: number;
  readonly nodesReplaced: number;
  readonly nodesReplacedInRuns: { readonly least: number; readonly most: number };
  readonly reasons: readonly { readonly reason: string; readonly nodes: number }[];
  /** When the first node begins to leave. */
  readonly begins?: string;
  /** Between which instants the last node is gone, 95 times out of 100, by the runs that came to an end (`foreseeRange`). */
  readonly ends?: { readonly least: string; readonly most: string; readonly runs: number };
  readonly surge: { readonly nodes: number; readonly vcpus: number; readonly usdPerHour: string };
  readonly usdPerHourBefore: string;
  readonly usdPerHourAfter: string;
  /** What nodes cost beyond what those of the beginning would have cost. */
  readonly usdExtra: string;
  readonly evictions: number;
  readonly blocked: number;
  readonly unschedulable: readonly string[];
  /** What a person has to do. */
  readonly waitsForPerson: readonly string[];
  /** Hashes that the change leaves as they are, where it replaces no node. */
  readonly unchangedHashes: readonly string[];
};

export type ForecastNode = {
  readonly node: string;
  /** Empty for a node of a group. */
  readonly nodePool: string;
  /** The managed node group or Auto Scaling group that it is of. */
  readonly nodeGroup?: string;
  readonly instanceType: string;
  readonly reason?: string;
  readonly begins?: string;
  readonly gone?: string;
  readonly replacedBy?: string;
  readonly usdPerHour?: string;
  readonly podsEvicted: number;
  /** Of a node that is to go and is still there at the end. */
  readonly heldBy?: string;
};

export type ForecastWorkload = RunWorkload & { readonly evictions: number };

/** Something that a forecast takes for granted, and how many pods it concerns. */
export type ForecastAssumption = { readonly says: string; readonly pods: number };
