import type { NodeRolloutPolicySpec } from '@nodewright/apis';
import type { IncidentWorld } from './incident-world.ts';

/** What a person counts of a fleet after an incident. Counts hold over the whole time, not at its end alone. */
export type FleetOutcome = {
  /** Instances that were launched from an image that came out in the incident. */
  readonly touched: number;
  /** Nodes that run such an image in the end. */
  readonly left: number;
  /** Nodes that were there before the incident and left in it. */
  readonly moved: number;
  readonly readyPods: number;
  /** The fewest pods that were Ready at any instant since the incident began. */
  readonly fewestReadyPods: number;
  /** The most NodeClaims at any instant since then. */
  readonly mostNodes: number;
  /** Why a rollout halted, if one did. */
  readonly halted: string | undefined;
};

/** Two fleets of so many nodes live through an incident in one cluster. */
export type FleetTraits = {
  /** [AL2023] */
  readonly family?: 'al2023' | 'bottlerocket';
  readonly instanceType?: string;
  /** What each pod asks for; a node takes one pod. */
  readonly requests?: Readonly<Record<string, string>>;
  readonly expireAfter?: string;
  /** Nodes of each fleet; those of the question when left out. */
  readonly nodes?: number;
  /** Half of the nodes of each fleet are of this type, in a second NodePool. */
  readonly secondType?: string;
  /** Disruption budget of the NodePools [100%]. */
  readonly budget?: string;
};

/**
 * One incident of others. A cluster has two fleets: one without a policy, and one under a policy of the preset standard.
 * The same happens to both.
 */
export type Incident = {
  /** As in the list of incidents: R1, R4, ... */
  readonly id: string;
  /** What happened, in a clause. */
  readonly what: string;
  readonly fleet?: FleetTraits;
  /** What the policy says beside its preset. */
  readonly policy?: NodeRolloutPolicySpec;
  /** It takes so many hours that the tests leave it out. */
  readonly isLong?: true;
  /** What is done, and how long it is lived. */
  readonly live: (world: IncidentWorld) => Promise<void>;
  /** Whether it is as it was for others. */
  readonly without: (outcome: FleetOutcome, nodes: number) => boolean;
  /** Whether at most the failure budget was lost. */
  readonly standard: (outcome: FleetOutcome, nodes: number) => boolean;
};

/** At most the failure budget: one node was touched, and one pod at most was not Ready. */
export const isContained = ({ touched, readyPods }: FleetOutcome, nodes: number): boolean =>
  touched <= 1 && readyPods >= nodes - 1;
