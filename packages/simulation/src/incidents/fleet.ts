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
  /** What receivers are told of, once each. */
  readonly told: readonly string[];
};

/** Two fleets of so many nodes live through an incident in one cluster. */
export type IncidentFleet = {
  /** [AL2023] */
  readonly family?: 'al2023' | 'bottlerocket';
  readonly instanceType?: string;
  /** What each pod asks for; a node takes one pod. */
  readonly requests?: Readonly<Record<string, string>>;
  /** How many minutes so many nodes live [for ever]. */
  readonly lifeMinutes?: (nodes: number) => number;
  /** Nodes of each fleet; those of the question when left out. */
  readonly nodes?: number;
  /** Half of the nodes of each fleet are of this type, in a second NodePool. */
  readonly secondType?: string;
  /** The spec pins a release that came out months ago, and that has no build for the next minor. */
  readonly pinsOldRelease?: true;
  /** A Service is in front of the pods of each fleet. */
  readonly service?: true;
  /** Disruption budget of the NodePools [100%]. */
  readonly budget?: string;
  /** Managed node groups in place of NodePools. */
  readonly managedGroups?: ManagedGroupFleet;
};

export type ManagedGroupFleet = {
  /** One group, or one of a single node beside one with the others. */
  readonly of: 'one' | 'canaryAndRest';
  readonly strategy: 'DEFAULT' | 'MINIMAL';
  /** What EKS does with new nodes when an update fails. */
  readonly onFailure: 'leave' | 'revert';
};
