import type { NodeRolloutPolicySpec } from '@nodewright/apis';
import type { FleetOutcome, IncidentFleet } from './fleet.ts';
import type { IncidentWorld } from './incident-world.ts';

/**
 * One incident of others. A cluster has two fleets: one without a policy, and one under a policy of the preset standard.
 * The same happens to both.
 */
export type Incident = {
  /** As in the list of incidents: R1, R4, ... */
  readonly id: string;
  /** What happened, in a clause. */
  readonly what: string;
  readonly fleet?: IncidentFleet;
  /** What the policy says beside its preset. */
  readonly policy?: NodeRolloutPolicySpec;
  /** It takes so much processor time that the tests leave it out. */
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
