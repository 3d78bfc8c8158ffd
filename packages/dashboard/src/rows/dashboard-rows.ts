/** A row of a view. Its id is unique among the rows of its section. */
export type DashboardRow = { readonly id: string };

/**
 * What `nodewright explain` says more about a row: its arguments, such as `node/ip-10-0-1-7` or `pod/default/web-1`. The page
 * opens `/explain/` followed by it.
 */
export type ExplainPath = string;

export type NodeStage = 'starting' | 'ready' | 'troubled' | 'toMove' | 'leaving' | 'unmanaged';

/** A node, or a NodeClaim without one. */
export type NodeRow = DashboardRow & {
  /** The object that the node is of, `NodePool/default` or `NodeGroup/workers`; else whose it is in a few words. */
  readonly group: string;
  readonly zone?: string;
  readonly instanceType?: string;
  readonly capacityType?: string;
  readonly image?: string;
  readonly release?: string;
  readonly kubeletVersion?: string;
  readonly createdAt?: string;
  readonly stage: NodeStage;
  /** The answer of `explain node`. */
  readonly answer: string;
  readonly drift?: { readonly reason: string; readonly since?: string };
  /** Absent where the reader does not see pods, as the two after it. */
  readonly pods?: number;
  /** What its pods request of what they may use, in per cent. */
  readonly cpuPercent?: number;
  readonly memoryPercent?: number;
  readonly microUsdPerHour?: number;
  /** Which image it has by the policy that governs it. */
  readonly governed?: { readonly policy: string; readonly image: 'target' | 'proven' | 'other' };
  readonly explain: ExplainPath;
};

/** An object that is named as a cause. */
export type CauseObject = { readonly kind: string; readonly name: string };

/** One thing that keeps a node. */
export type BlockerCause = {
  /** The kind of a blocker or the name of a gate, such as `budget` or `window`. */
  readonly cause: string;
  /** As `explain` says it. */
  readonly message: string;
  readonly object?: CauseObject;
  readonly until?: string;
  /** Neither time nor the end of other moves changes it: a person has to. */
  readonly isLasting?: boolean;
};

/** A node that should move and does not. */
export type BlockerRow = DashboardRow & {
  readonly node: string;
  readonly group: string;
  /** Why it should move: the reason of its drift, the rollout, or that it is leaving. */
  readonly because: string;
  readonly since?: string;
  readonly causes: readonly BlockerCause[];
  readonly explain: ExplainPath;
};

export type WaveRow = {
  readonly name: string;
  readonly seats: number;
  readonly taken: number;
  readonly healthy: number;
  readonly failed: number;
  readonly startedAt?: string;
  readonly soakedUntil?: string;
  readonly endedAt?: string;
  readonly outcome?: string;
  readonly needsApproval?: boolean;
  readonly earliestStart?: string;
  readonly earliestEnd?: string;
};

/** New nodes beside those with the old image: shares in per cent, or rates without a unit. */
export type EvidenceComparison = {
  readonly variant: string;
  readonly summary: string;
  readonly signals: readonly {
    readonly name: string;
    readonly unit: '%' | '';
    readonly members: number;
    readonly peers: number;
  }[];
};

export type FailedNodeRow = {
  /** Its Node, or its NodeClaim where there is none; absent for what is about all new nodes together. */
  readonly node?: string;
  /** Its NodeClaim, beside its Node. */
  readonly claim?: string;
  readonly at: string;
  readonly evidence: string;
};

/** A node that cannot be drained: it takes pods again and waits. */
export type ParkedNodeRow = {
  /** Its Node, or its NodeClaim where there is none. */
  readonly node: string;
  /** Its NodeClaim, beside its Node. */
  readonly claim?: string;
  readonly since: string;
  /** What keeps it: a clause. */
  readonly message: string;
  /** The PodDisruptionBudget that does, as `namespace/name`; absent where an annotation does. */
  readonly budget?: string;
};

export type RolloutRow = DashboardRow & {
  readonly policy: string;
  readonly number: number;
  readonly state: string;
  readonly wave?: string;
  readonly cause: string;
  /** `v20240807 -> v20240828`. */
  readonly change: string;
  readonly images: readonly string[];
  readonly total: number;
  readonly updated: number;
  /** Of the updated ones. */
  readonly ready?: number;
  readonly failed: number;
  readonly remaining: number;
  readonly startedAt?: string;
  readonly endedAt?: string;
  readonly expectedEnd?: string;
  readonly nextChangeAt?: string;
  readonly halted?: string;
  /** What it waits for, each with its beginning. */
  readonly waits: readonly { readonly message: string; readonly since?: string }[];
  /** Whether replacements may begin now, when that changes, and the time zones in which the policy says so. */
  readonly window?: {
    readonly message: string;
    readonly isOpen: boolean;
    readonly changesAt?: string;
    readonly zones?: string;
  };
  readonly waves: readonly WaveRow[];
  readonly evidence: readonly EvidenceComparison[];
  readonly failures: readonly FailedNodeRow[];
  readonly parked?: readonly ParkedNodeRow[];
  readonly requests: readonly {
    readonly at: string;
    readonly request: string;
    readonly value: string;
    readonly by: string;
    readonly answer: string;
  }[];
  /** What a person can do now: exact commands, with what they are for. */
  readonly commands: readonly {
    readonly purpose: string;
    readonly command: string;
    /** It does not go on without this one, or another one that is needed. */
    readonly isNeeded?: boolean;
  }[];
  readonly explain: ExplainPath;
};

export type ImageRow = DashboardRow & {
  readonly nodeClass: string;
  readonly image: string;
  readonly name: string;
  readonly release?: string;
  readonly variant?: string;
  readonly arch?: string;
  readonly publishedAt?: string;
  readonly state: string;
  readonly because: string;
  readonly nodes: number;
};

export type NodeClassRow = DashboardRow & {
  readonly terms: readonly string[];
  readonly kubernetesVersion: string;
  /** The answer and the reasons of `explain nodeclass`. */
  readonly answer: string;
  readonly reasons: readonly string[];
  /** What is newer than what is launched, each with why it is not. */
  readonly newer: readonly string[];
  readonly isStuck: boolean;
  readonly changesAt?: string;
  readonly change?: string;
  readonly explain: ExplainPath;
};

/** A NodeGroup: what its nodes are to run, how many do, and what it waits for. */
export type GroupProgressRow = DashboardRow & {
  readonly phase: 'Pending' | 'UpToDate' | 'Outdated' | 'Blocked' | 'Updating' | 'Failed';
  readonly reason: string;
  /** The release, or the image where it has none. */
  readonly target?: string;
  readonly total: number;
  readonly updated: number;
  /** When the update under way began. */
  readonly startedAt?: string;
  readonly explain: ExplainPath;
};

/** What the nodes of one group and capacity type cost. */
export type SpendingRow = DashboardRow & {
  readonly group: string;
  readonly capacityType: string;
  readonly nodes: number;
  readonly microUsdPerHour: number;
  /** The part of nodes that start or leave: what updates cost for a while. */
  readonly surgeMicroUsdPerHour: number;
  /** Nodes whose price is not known. */
  readonly unpriced: number;
  readonly explain?: ExplainPath;
};

/** What could be saved, and why it is not. */
export type SavingRow = DashboardRow & {
  readonly nodes: readonly string[];
  readonly group: string;
  /** At most so much; absent where it is not known. */
  readonly microUsdPerHour?: number;
  readonly isNext: boolean;
  readonly message: string;
  readonly explain: ExplainPath;
};

/** Nodes of one group that consolidation leaves alone for the same reason. */
export type KeptNodesRow = DashboardRow & {
  readonly group: string;
  readonly nodes: number;
  /** What they cost: more cannot be saved. */
  readonly microUsdPerHour: number;
  readonly message: string;
  /** That of the only one, or of their pool. */
  readonly explain: ExplainPath;
};

/** Pods that wait for the same reasons. */
export type WaitingRow = DashboardRow & {
  readonly stage: WaitingStage;
  /** The answer and the reasons of `explain pod`. */
  readonly answer: string;
  readonly reasons: readonly string[];
  readonly pods: number;
  /** Some of them, as `namespace/name`. */
  readonly names: readonly string[];
  readonly since?: string;
  readonly changesAt?: string;
  readonly explain: ExplainPath;
};

/** How far a pod has come on its way to a node. `unexplained`: the reader does not see what that would be told by. */
export type WaitingStage =
  | 'notLookedAt'
  | 'held'
  | 'noPlace'
  | 'newNode'
  | 'awaitedNode'
  | 'existingNode'
  | 'unexplained';

/** Whether a receiver has a message. */
export type MessageDelivery = { readonly receiver: string; readonly result: 'sent' | 'notYet' | 'givenUp' };

/** What people are told of, and which of the receivers that are set up now have it. */
export type SentMessage = {
  readonly id: string;
  /** The rollout, or the policy. */
  readonly about: string;
  readonly event: string;
  readonly text: string;
  readonly at: string;
  readonly deliveries: readonly MessageDelivery[];
};

/** What a person has to know of a NodeRolloutPolicy: a condition of it, or an image that it does not let in. */
export type PolicyRemark = {
  readonly kind: string;
  readonly urgency: 'broken' | 'waitsForPerson' | 'goesOn';
  readonly message: string;
  readonly since?: string;
};

/** A NodeRolloutPolicy. The id is its name. */
export type PolicyRow = DashboardRow & {
  readonly mode: string;
  /** Absent before it was looked at. */
  readonly governed?: { readonly nodePools: number; readonly nodeGroups: number; readonly nodes: number };
  /** The rollout under way. */
  readonly rollout?: string;
  readonly notes: readonly PolicyRemark[];
};

/** Who is told. No password is in it. */
export type ReceiverRow = {
  readonly id: string;
  readonly words: string;
  /** All, where it is empty. */
  readonly events: readonly string[];
  /** Present while it cannot be told. */
  readonly trouble?: {
    readonly failures: number;
    readonly since: string;
    readonly nextAt: string;
    readonly error: string;
  };
};

/** The receivers of a policy, and the last messages about its rollouts. The id is the name of the policy. */
export type NotificationRow = DashboardRow & {
  readonly receivers: readonly ReceiverRow[];
  readonly messages: readonly SentMessage[];
};

/** Everything that is shown of a cluster at one moment. */
export type Dashboard = {
  readonly at: string;
  readonly nodes: readonly NodeRow[];
  readonly blockers: readonly BlockerRow[];
  readonly rollouts: readonly RolloutRow[];
  readonly images: readonly ImageRow[];
  readonly nodeClasses: readonly NodeClassRow[];
  readonly spending: readonly SpendingRow[];
  readonly savings: readonly SavingRow[];
  readonly keptNodes: readonly KeptNodesRow[];
  readonly waiting: readonly WaitingRow[];
  readonly policies: readonly PolicyRow[];
  readonly notifications: readonly NotificationRow[];
  readonly nodeGroups: readonly GroupProgressRow[];
};

/** Why something is as it is: one sentence, and what it rests on. */
export type Explanation = {
  readonly subject: { readonly kind: string; readonly name: string; readonly namespace?: string };
  readonly answer: string;
  readonly reasons: readonly string[];
  /** When time alone changes the answer; RFC 3339. */
  readonly changesAt?: string;
  /** What changes then: a clause. */
  readonly change?: string;
  /** Commands that tell more. */
  readonly seeAlso?: string;
};

/** The explanation of an object, the command that prints the same, and what is on it. */
export type ExplainedRow = Explanation & {
  readonly command: string;
  /** Of a node: its pods as `namespace/name`, by name. */
  readonly pods?: readonly string[];
};
