import type { DisruptionPause, Namespace, Pod, PodDisruptionBudget, TopologySpreadConstraint } from '@nodewright/apis';
import type { NodeState } from '../cluster/node-state.ts';
import type { Requirements } from '@nodewright/requirements';
import type { AttachedVolume } from '../volumes/attached-volumes.ts';
import type { SchedulingOptions, SchedulingProblem } from '../solve/problem.ts';
import type { PoolSupply } from '../instance-types/pool-supply.ts';

/** The input of disruption decisions, taken at one moment. */
export type DisruptionSnapshot = {
  /** Pools that may be launched from, with their instance types. */
  readonly supplies: readonly PoolSupply[];
  /** Names of pools that keep a number of nodes whatever pods there are: their nodes are replaced by another method. */
  readonly staticPools?: ReadonlySet<string>;
  /** The pools with `replicas` that can launch nodes. */
  readonly staticSupplies?: readonly PoolSupply[];
  /** All nodes, including leaving nodes. */
  readonly nodes: readonly NodeState[];
  /** Names of claims that a running command already disrupts. */
  readonly queued: ReadonlySet<string>;
  readonly pendingPods: readonly Pod[];
  /** Units of capacity buffers, which need room as pending pods do. */
  readonly virtualPods?: readonly Pod[];
  readonly daemonPods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  readonly podDisruptionBudgets: readonly PodDisruptionBudget[];
  /** As in a scheduling problem. */
  readonly volumeRequirements?: ReadonlyMap<string, readonly Requirements[]>;
  readonly attachedVolumes?: ReadonlyMap<string, readonly AttachedVolume[]>;
  readonly defaultSpread?: ReadonlyMap<string, readonly TopologySpreadConstraint[]>;
  readonly promised?: SchedulingProblem['promised'];
  readonly held?: SchedulingProblem['held'];
  /** Pauses keep voluntary disruption from beginning. */
  readonly pauses?: readonly DisruptionPause[];
  /** Claims whose nodes rollouts watch, with the name of the rollout: they are not consolidated. */
  readonly watched?: ReadonlyMap<string, string>;
  /** Names of claims whose nodes a rollback replaces: one that is not ready waits for nodes alone that are going. */
  readonly takenBack?: ReadonlySet<string>;
  readonly options: SchedulingOptions;
};
