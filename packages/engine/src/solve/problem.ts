import type { PoolSupply } from '../instance-types/pool-supply.ts';
import type { Namespace, NodePool, Pod, TopologySpreadConstraint } from '@nodewright/apis';
import type { NodeState } from '../cluster/node-state.ts';
import type { Requirements } from '@nodewright/requirements';
import type { AttachedVolume } from '../volumes/attached-volumes.ts';
import type { FutileLaunch } from './futile-launch.ts';
import type { InstanceType, Resources } from '../instance-types/instance-type.ts';
import type { UnschedulableReason } from './reasons/reasons.ts';

export type SchedulingOptions = {
  /** `Ignore`: preferred affinities and `ScheduleAnyway` spreads have no effect. */
  readonly preferencePolicy: 'Respect' | 'Ignore';
  /** `BestEffort`: a new node that cannot meet `minValues` lowers them instead of failing. */
  readonly minValuesPolicy: 'Strict' | 'BestEffort';
  /**
   * `Strict` [default]: a pod that could use reserved capacity waits while that is promised to other nodes of
   * the round. `Fallback`: it takes what can be bought otherwise.
   */
  readonly reservedCapacity?: 'Strict' | 'Fallback';
  /** Labels a pod may ask for although its NodePool does not mention them; the known ones of Karpenter and AWS unless given. */
  readonly wellKnownLabels?: ReadonlySet<string>;
};

/** A pool that nothing is launched from now, and why: a clause. */
export type PassedOver = { readonly nodePool: string; readonly why: string };

/** One scheduling round: everything the decision depends on, taken at one moment. */
export type SchedulingProblem = {
  readonly nodePools: readonly PoolSupply[];
  /** Other pools, which the reasons of pods without a place name. */
  readonly passedOver?: readonly PassedOver[];
  /**
   * Nodes, existing and in flight, with the pods bound to them. Those that are leaving may be among them. The list must
   * not change: what is found out about it serves later rounds over the same list.
   */
  readonly nodes: readonly NodeState[];
  /** Nodes that are going: they take no pods, but pods still on them count for spread and affinity. */
  readonly leavingNodes?: readonly NodeState[];
  /** Pods to place, whatever their status says. */
  readonly pods: readonly Pod[];
  /** Those of them that choose after others of their size. */
  readonly afterEquals?: ReadonlySet<Pod>;
  /** Those of them that some nodes do not take, although everything fits. */
  readonly keptOff?: { readonly pods: ReadonlySet<Pod>; readonly nodes: ReadonlySet<NodeState> };
  /** Those of them that have a node of their own, launched for them: they are put there before any other pod is placed. */
  readonly promised?: ReadonlyMap<Pod, NodeState>;
  /** Those of them for which nodes were launched in vain. Equal pods share one entry. */
  readonly held?: ReadonlyMap<Pod, FutileLaunch>;
  /** One pod per DaemonSet: what it would run on a new node. */
  readonly daemonPods: readonly Pod[];
  readonly namespaces: readonly Namespace[];
  /** Alternatives of node requirements that a pod's volumes leave, by `namespace/name`. */
  readonly volumeRequirements?: ReadonlyMap<string, readonly Requirements[]>;
  /** Volumes that pods have attached or would have, by `namespace/name`; of pods to place and of pods that run. */
  readonly attachedVolumes?: ReadonlyMap<string, readonly AttachedVolume[]>;
  /** How pods that state no spread of their own are spread all the same, by `namespace/name`. */
  readonly defaultSpread?: ReadonlyMap<string, readonly TopologySpreadConstraint[]>;
  readonly options: SchedulingOptions;
  /** How much work the round may do before it ends with the pods placed so far, in units of `WorkMeter` [no limit]. */
  readonly workLimit?: number;
};

/** A node to launch. */
export type NewNode = {
  readonly nodePool: NodePool;
  /** What the node will be: its pool's requirements, labels and those of its pods. Without the host name. */
  readonly requirements: Requirements;
  /** All it may be launched as, the cheapest first, at most 600; each has an available offering that `requirements` admit. */
  readonly instanceTypes: readonly InstanceType[];
  /** Pods and the least that daemons take. */
  readonly requests: Resources;
  readonly pods: readonly Pod[];
  /** True when `BestEffort` lowered its `minValues`. */
  readonly minValuesRelaxed: boolean;
};

export type ExistingPlacement = { readonly node: NodeState; readonly pods: readonly Pod[] };

export type UnschedulablePod = { readonly pod: Pod; readonly reasons: readonly UnschedulableReason[] };

/**
 * Every pod of the problem once: on a new node, on an existing one, waiting for the one that is promised to it, with the
 * reasons why nowhere, put off, or not reached in time.
 */
export type SchedulingResult = {
  readonly newNodes: readonly NewNode[];
  readonly existing: readonly ExistingPlacement[];
  /** Pods on the node that is promised to them, although it does not admit them as it is now. */
  readonly waiting: readonly ExistingPlacement[];
  readonly unschedulable: readonly UnschedulablePod[];
  /** Pods that could use reserved capacity which other nodes of this round hold: the next round knows what is left of it. */
  readonly deferred: readonly Pod[];
  /** Pods for which there was no time: nothing is known of them. */
  readonly unreached: readonly Pod[];
};
