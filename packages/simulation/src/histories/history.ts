import { instant } from '@nodewright/apis';
import type { Fault, NodeBehavior } from '@nodewright/aws-endpoints';

/** When every history begins. */
export const simulationStart = instant(Date.parse('2025-03-03T06:00:00Z'));

/** A cluster and what happens to it, as plain data. The same history plays the same way every time. */
export type History = {
  /** From which the chances of the world itself are drawn: boot times, names. */
  readonly seed: string;
  readonly cluster: ClusterPlan;
  readonly steps: readonly HistoryStep[];
  /** How long the world goes on before the faults end. */
  readonly minutes: number;
};

export type ClusterPlan = {
  /** Minor of the control plane. */
  readonly kubernetesVersion: string;
  /** How many processes of the controller run; one of them leads. */
  readonly operators: number;
  /** Whether AWS tells the controllers of its changes, as in an embedded cluster; they poll otherwise, as on a real account. */
  readonly isTold?: boolean;
  readonly pools: readonly PoolPlan[];
  readonly workloads: readonly WorkloadPlan[];
  /** How images reach all nodes; without one as in Karpenter. */
  readonly policy?: SimulatedPolicy;
};

export type SimulatedPolicy = {
  readonly preset: 'cautious' | 'standard' | 'fast';
  readonly mode?: 'Propose' | 'Report';
  /** Waves that soak for minutes, where those of the preset soak for longer than the history lasts. */
  readonly waves?: readonly { readonly name: string; readonly nodes: string; readonly soak?: string }[];
  readonly onHalt?: 'Rollback';
  readonly newTarget?: 'Supersede';
  readonly maxPerHour?: number;
  readonly maxSurge?: number;
  readonly minInterval?: string;
  readonly order?: 'TerminateFirst';
  /** Replacements begin only then. */
  readonly window?: { readonly schedule: string; readonly duration: string };
  readonly maxAge?: { readonly soft: string; readonly jitter: string };
  /** Nothing begins in these minutes of the history. */
  readonly blackout?: { readonly from: number; readonly to: number };
  /** Its last wave waits for a person. */
  readonly isApproved?: true;
  readonly failureBudget?: number;
  readonly variants?: 'Independent';
  readonly withoutEvidence?: 'Wait';
  /** It lets in what another cluster has proven, and publishes what it has proven itself. */
  readonly isPromoted?: true;
};

export type SimulatedFamily = 'al2023' | 'bottlerocket';

export type PoolPlan = {
  readonly name: string;
  readonly family: SimulatedFamily;
  readonly capacityTypes: readonly ('spot' | 'on-demand')[];
  /** vCPUs of its instance types. */
  readonly sizes: readonly string[];
  readonly budgets: readonly BudgetPlan[];
  readonly consolidationPolicy: 'WhenEmpty' | 'WhenEmptyOrUnderutilized' | 'Balanced';
  readonly consolidateAfter: string;
  readonly expireAfter: string;
  readonly terminationGracePeriod?: string;
  /** vCPUs of all its nodes. */
  readonly cpuLimit?: number;
};

export type BudgetPlan = {
  readonly nodes: string;
  readonly reasons?: readonly ('Drifted' | 'Empty' | 'Underutilized')[];
  readonly schedule?: string;
  readonly duration?: string;
};

export type WorkloadPlan = {
  readonly name: string;
  readonly kind: 'Deployment' | 'StatefulSet' | 'DaemonSet';
  /** The pool its pods are bound to. */
  readonly pool?: string;
  readonly replicas: number;
  readonly cpuMillis: number;
  readonly graceSeconds: number;
  /** Of its PodDisruptionBudget; none without. */
  readonly maxUnavailable?: number;
  readonly isProtected?: boolean;
  readonly spread?: 'zone' | 'hostname';
};

/** Something that happens at some minute. Objects that are not there any more are passed over. */
export type HistoryStep = { readonly at: number } & StepAction;

export type StepAction =
  | { readonly do: 'release'; readonly family: SimulatedFamily; readonly behavior: NodeBehavior }
  | { readonly do: 'withdraw'; readonly family: SimulatedFamily }
  | {
      readonly do: 'block';
      readonly family: SimulatedFamily;
      readonly minutes: number;
      /** [Blocked] */
      readonly verdict?: 'Expedited';
    }
  /** Another cluster publishes what came of the newest release; or its record is spoiled. */
  | { readonly do: 'prove'; readonly family: SimulatedFamily; readonly verdict: 'Proven' | 'Halted' | 'Spoiled' }
  /** A person deletes the rules that halts have written. */
  | { readonly do: 'unrule' }
  | { readonly do: 'scale'; readonly workload: string; readonly replicas: number }
  | { readonly do: 'relabel'; readonly pool: string; readonly value: string }
  | { readonly do: 'rebudget'; readonly pool: string; readonly budgets: readonly BudgetPlan[] }
  | {
      readonly do: 'consolidate';
      readonly pool: string;
      readonly policy: PoolPlan['consolidationPolicy'];
      readonly after: string;
    }
  | { readonly do: 'limit'; readonly pool: string; readonly cpu: number }
  | { readonly do: 'protect'; readonly what: 'pods' | 'nodes'; readonly nth: number; readonly minutes: number }
  | { readonly do: 'fault'; readonly fault: Fault; readonly minutes: number }
  | { readonly do: 'misbehave'; readonly nth: number; readonly behavior: NodeBehavior; readonly minutes: number }
  | { readonly do: 'interrupt'; readonly nth: number }
  | { readonly do: 'lose'; readonly nth: number }
  | { readonly do: 'delete'; readonly what: 'pods' | 'nodes' | 'nodeclaims'; readonly nth: number }
  | { readonly do: 'evict'; readonly nth: number }
  | { readonly do: 'crash'; readonly afterWrites: number; readonly downSeconds: number }
  | { readonly do: 'hand-over' }
  | { readonly do: 'outage'; readonly of: 'kubernetes' | 'aws'; readonly minutes: number }
  | { readonly do: 'upgrade'; readonly version: string }
  | { readonly do: 'policy'; readonly policy: SimulatedPolicy }
  | { readonly do: 'unpolicy' }
  | {
      readonly do: 'pause';
      readonly minutes: number;
      readonly inFlight: 'Finish' | 'Revert';
      /** [everything voluntary] */
      readonly only?: readonly ('Drifted' | 'Empty' | 'Underutilized' | 'Expired')[];
    }
  /** Of a person, on the newest rollout. */
  | { readonly do: 'ask'; readonly request: 'approve' | 'halt' | 'resume' | 'rollback' | 'skip-soak' };

export type StepKind = StepAction['do'];
