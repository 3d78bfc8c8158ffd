import type { Instant, NodeClaim, Pod } from '@nodewright/apis';
import {
  bufferOutcomes,
  claimFor,
  effectiveZones,
  endOfReasons,
  EvictionRules,
  isRealPod,
  printedReasons,
  printedTogether,
  schedulePods,
  signatureOf,
  type BufferOutcome,
  type NewNode,
  type NodeState,
  type SchedulingOptions,
  type SchedulingProblem,
  type SchedulingResult,
  type UnschedulablePod,
} from '@nodewright/engine';
import type { FutileRecord } from '../../state/futile-launches.ts';
import { withLaunchRecord, type LaunchRecord } from '../../state/launch-record.ts';
import { heldPods } from './held-pods.ts';
import { judgeLaunches } from './judge-launches.ts';
import { withoutPods } from './late-launches.ts';
import { promisedNodes } from './launched-nodes.ts';
import type { RoundSnapshot } from './observe.ts';
import { isUndecidedPool, passedOverIn } from './passed-over.ts';
import { poolFingerprints } from './pool-fingerprint.ts';
import { schedulingClassOf } from './scheduling-class.ts';

/** What a round decided: claims to create, nodes that pods are on their way to, pods without a place. */
export type RoundPlan = {
  readonly create: readonly PlannedClaim[];
  /** Judgements on nodes that were launched in vain, by the NodePool to store them on. */
  readonly futile: ReadonlyMap<string, readonly FutileRecord[]>;
  /** Pods whose node is not as it has to be for them yet. */
  readonly waiting: readonly { readonly node: NodeState; readonly pods: readonly Pod[] }[];
  readonly nominate: readonly { readonly node: NodeState; readonly pods: readonly Pod[] }[];
  readonly unschedulable: readonly UnplacedPod[];
  /** Pods that wait for reserved capacity: what is left of it is promised to others of this round. */
  readonly deferred: readonly Pod[];
  readonly pods: number;
  /** How many pending pods could get a place in one zone alone, by its name, or are `flexible`, or could in `none`. */
  readonly zones: ReadonlyMap<string, number>;
  /** Pods that were not reached within the limit of work. */
  readonly unreached: number;
  /** Whether there is a pool that nodes can be launched from. */
  readonly hasPools: boolean;
  readonly units: PlannedUnits;
};

/** Where units of capacity buffers would go. */
export type PlannedUnits = {
  /** By buffer, `namespace/name`. */
  readonly outcomes: ReadonlyMap<string, BufferOutcome>;
  /** How many have room on each node that is there. */
  readonly onNodes: ReadonlyMap<NodeState, number>;
};

/** Why a pod has no place. */
export type UnplacedPod = {
  readonly pod: Pod;
  /** A line for each different thing that stands against it. */
  readonly reasons: readonly string[];
  /** All of them in one paragraph. */
  readonly because: string;
  /** Another one when other things stand against it than before. */
  readonly signature: string;
  /** When one of them passes by itself. */
  readonly until?: Instant;
};

export type PlannedClaim = { readonly claim: NodeClaim; readonly newNode: NewNode; readonly because: string };

const emptyRoundPlan: RoundPlan = {
  units: { outcomes: new Map(), onNodes: new Map() },
  create: [],
  futile: new Map(),
  waiting: [],
  nominate: [],
  unschedulable: [],
  deferred: [],
  pods: 0,
  zones: new Map(),
  unreached: 0,
  hasPools: true,
};

/**
 * What a round launches, and whom it leaves without a place. A round that reaches its `workLimit` launches what it has
 * found so far; the next one goes on from there. Equal snapshots have equal plans.
 */
export const planRound = (seen: RoundSnapshot, options: SchedulingOptions, now: Instant): RoundPlan =>
  seen.supplies.length === 0 ? planWithoutPools(seen, options, now) : planPlacements(seen, options, now);

/** No pool can be launched from now: the plan only says why pods have no place. */
const planWithoutPools = (seen: RoundSnapshot, options: SchedulingOptions, now: Instant): RoundPlan => ({
  ...emptyRoundPlan,
  hasPools: false,
  unschedulable: isReasonKnown(seen) ? planPlacements(seen, options, now).unschedulable : [],
  units: { outcomes: bufferOutcomes({ existing: [], onNew: [], failed: seen.virtualPods }), onNodes: new Map() },
});

/** Whether pods get the reason why nothing is launched: not where there is no pool, nor while a pool is about to be ready. */
const isReasonKnown = (seen: RoundSnapshot): boolean =>
  passedOverIn(seen).length > 0 && !seen.notReady.some(isUndecidedPool);

/** Where the pods that wait would go now, whether or not there is a pool to launch from. */
export function planPlacements(seen: RoundSnapshot, options: SchedulingOptions, now: Instant): RoundPlan {
  const pods = [...seen.pending, ...seen.virtualPods, ...podsOfLeavingNodes(seen, now)];
  if (pods.length === 0) return emptyRoundPlan;
  const judged = judgeRound(seen, now);
  const problem = { ...schedulingProblemOf(seen, pods, options), promised: judged.promised, held: judged.held };
  const zones = effectiveZones({ ...problem, pods: seen.pending });
  return planned(schedulePods(problem), {
    pods: pods.length,
    zones: countValues(zones.values()),
    futile: judged.futile,
    recordOf: recorder(seen),
  });
}

/** Which pods wait for a node of their own, and for which no more are launched. */
export function judgeRound(
  seen: RoundSnapshot,
  now: Instant,
): Pick<RoundPlan, 'futile'> & Required<Pick<SchedulingProblem, 'promised' | 'held'>> {
  const judged = { ...seen, fingerprints: fingerprintsFor(seen) };
  const futile = judgeLaunches(judged, now);
  const promised = promisedNodes(seen.pending, seen.launched, now);
  return { futile, promised, held: heldPods({ seen: judged, records: futile, promised }, now) };
}

/** Worked out only where there is something to hold against them. */
const fingerprintsFor = (seen: RoundSnapshot): ReadonlyMap<string, string> =>
  seen.pending.length === 0 || (seen.launched.length === 0 && seen.futile.size === 0)
    ? new Map()
    : poolFingerprints(seen);

/** What a claim has to say about the pods that it is created for. */
type LaunchRecorder = (newNode: NewNode) => LaunchRecord;

function recorder(seen: RoundSnapshot): LaunchRecorder {
  let fingerprints: ReadonlyMap<string, string> | undefined;
  return ({ pods }) => {
    fingerprints ??= poolFingerprints(seen);
    const classes = new Map<string, string[]>();
    for (const pod of pods.filter(isRealPod)) {
      const schedulingClass = schedulingClassOf(pod, seen.volumeRequirements);
      const uids = classes.get(schedulingClass) ?? [];
      classes.set(schedulingClass, uids);
      uids.push(pod.metadata.uid ?? '');
    }
    return { pools: fingerprints, classes };
  };
}

/** Pods of leaving nodes that may be evicted: they need a place before they are, unless a launch brings it. */
function podsOfLeavingNodes({ leavingNodes, promisedPods, budgets }: RoundSnapshot, now: Instant): readonly Pod[] {
  const rules = new EvictionRules(budgets);
  return leavingNodes.flatMap(({ pods }) => withoutPods(pods, promisedPods).filter((pod) => rules.canMove(pod, now)));
}

function countValues(values: Iterable<string>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return counts;
}

const schedulingProblemOf = (
  seen: RoundSnapshot,
  pods: readonly Pod[],
  options: SchedulingOptions,
): SchedulingProblem => ({
  nodePools: seen.supplies,
  passedOver: passedOverIn(seen),
  nodes: seen.launching.length === 0 ? seen.nodes : [...seen.nodes, ...seen.launching],
  leavingNodes: seen.leavingNodes,
  pods,
  afterEquals: new Set(seen.virtualPods),
  daemonPods: seen.daemonPods,
  namespaces: seen.namespaces,
  volumeRequirements: seen.volumeRequirements,
  attachedVolumes: seen.attachedVolumes,
  defaultSpread: seen.defaultSpread,
  options,
  ...(seen.workLimit === undefined ? {} : { workLimit: seen.workLimit }),
});

/** Units of buffers are no pods of users: only their outcomes are part of the plan. */
const planned = (
  result: SchedulingResult,
  { recordOf, ...asked }: Pick<RoundPlan, 'pods' | 'zones' | 'futile'> & { readonly recordOf: LaunchRecorder },
): RoundPlan => ({
  ...asked,
  create: result.newNodes.map((newNode) => ({
    claim: withLaunchRecord(claimFor(newNode), recordOf(newNode)),
    newNode,
    because: `${newNode.pods.length} pods have no other place`,
  })),
  waiting: result.waiting,
  nominate: result.existing
    .map(({ node, pods }) => ({ node, pods: pods.filter(isRealPod) }))
    .filter(({ pods }) => pods.length > 0),
  unschedulable: result.unschedulable.filter(({ pod }) => isRealPod(pod)).map(unplaced),
  deferred: result.deferred.filter(isRealPod),
  unreached: result.unreached.length,
  hasPools: true,
  units: plannedUnits(result),
});

const plannedUnits = ({ newNodes, existing, unschedulable, deferred }: SchedulingResult): PlannedUnits => ({
  outcomes: bufferOutcomes({
    existing: existing.flatMap(({ pods }) => pods),
    onNew: newNodes.flatMap(({ pods }) => pods),
    failed: [...unschedulable.map(({ pod }) => pod), ...deferred],
  }),
  onNodes: new Map(
    existing
      .map(({ node, pods }) => [node, pods.length - pods.filter(isRealPod).length] as const)
      .filter(([, count]) => count > 0),
  ),
});

function unplaced({ pod, reasons }: UnschedulablePod): UnplacedPod {
  const until = endOfReasons(reasons);
  return {
    pod,
    reasons: printedReasons(reasons),
    because: printedTogether(reasons),
    signature: signatureOf(reasons),
    ...(until === undefined ? {} : { until }),
  };
}
