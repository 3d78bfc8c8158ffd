import {
  byTextOf,
  conditionOf,
  days,
  hours,
  minutes,
  disruptedTaint,
  instant,
  karpenterLabels,
  type Instant,
  type Pod,
  type Taint,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import {
  isDaemonPod,
  isMirrorPod,
  nodeNameOf,
  podName,
  refusalOfNode,
  withoutWorkload,
  type NodeState,
} from '@nodewright/engine';
import type { Requirements } from '@nodewright/requirements';
import type { FutileRecord } from '../../state/futile-launches.ts';
import { isSettledLaunch, type LaunchedNode } from './launched-nodes.ts';
import { schedulingClassOf } from './scheduling-class.ts';

/** What the judgement on launched nodes rests on. */
export type JudgedLaunches = {
  readonly pending: readonly Pod[];
  readonly launched: readonly LaunchedNode[];
  /** What was judged before, by the NodePool that it is stored on. */
  readonly futile: ReadonlyMap<string, readonly FutileRecord[]>;
  /** What each NodePool is like that nodes can be launched from, by its name. */
  readonly fingerprints: ReadonlyMap<string, string>;
  /** Names of all NodePools. */
  readonly poolNames: ReadonlySet<string>;
  readonly volumeRequirements: ReadonlyMap<string, readonly Requirements[]>;
};

/** Where nothing but the scheduler itself stands against a pod, it has looked at the pod anew by then, however long its queue. */
const surelySeenAfterMs = minutes(6);
const firstLaunchPauseMs = minutes(10);
const longestLaunchPauseMs = hours(12);
/** How long a class is remembered after its pause when no pod of it waits. */
const judgementKeptMs = days(1);

/**
 * The records as they should be stored now, by NodePool. A node counts as launched in vain when it is ready, a pod that
 * it was launched for still waits, and no other pods have taken the room. Equal pods that did bind to a node launched no
 * earlier prove the contrary; so does any change of the NodePool since.
 */
export function judgeLaunches(seen: JudgedLaunches, now: Instant): ReadonlyMap<string, readonly FutileRecord[]> {
  const waiting = new Set(seen.futile.size === 0 ? [] : seen.pending.map((pod) => judgedClassOf(pod, seen)));
  const kept = new Map(
    [...seen.futile].map(([pool, records]) => [
      pool,
      records.filter((each) => isStillTrue(each, { seen, waiting, now })),
    ]),
  );
  for (const failure of failuresIn(seen, now)) addFailure(kept, failure, now);
  return kept;
}

type LaunchFailure = {
  readonly nodePool: string;
  readonly schedulingClass: string;
  readonly launched: LaunchedNode;
  readonly state: NodeState;
  readonly why: string;
};

type Judging = { readonly seen: JudgedLaunches; readonly now: Instant };

function isStillTrue(
  { schedulingClass, launchedAt, until, pools }: FutileRecord,
  { seen, waiting, now }: Judging & { readonly waiting: ReadonlySet<string> },
): boolean {
  if (now > until + judgementKeptMs && !waiting.has(schedulingClass)) return false;
  return isUnchangedSomewhere(pools, seen) && !hasBound(schedulingClass, launchedAt, seen);
}

/** A NodePool that nothing can be launched from now may be as it was. */
const isUnchangedSomewhere = (
  pools: ReadonlyMap<string, string>,
  { poolNames, fingerprints }: JudgedLaunches,
): boolean => [...pools].some(([name, text]) => poolNames.has(name) && (fingerprints.get(name) ?? text) === text);

/** Whether a pod of the class runs on a node that was launched for the class, no earlier than `since`. */
const hasBound = (schedulingClass: string, since: Instant, seen: JudgedLaunches): boolean =>
  seen.launched.some(({ createdAt, record, state }) => {
    const uids = record.classes.get(schedulingClass);
    if (uids === undefined || createdAt < since) return false;
    return workloadOf(state).some(
      (pod) => uids.includes(pod.metadata.uid ?? '') || judgedClassOf(pod, seen) === schedulingClass,
    );
  });

const workloadOf = (state: NodeState | undefined): readonly Pod[] =>
  (state?.pods ?? []).filter((pod) => !isDaemonPod(pod) && !isMirrorPod(pod));

const judgedClassOf = (pod: Pod, { volumeRequirements }: JudgedLaunches): string =>
  schedulingClassOf(pod, volumeRequirements);

function failuresIn(seen: JudgedLaunches, now: Instant): readonly LaunchFailure[] {
  const settled = seen.launched.filter((each) => isSettledLaunch(each, now));
  if (settled.length === 0 || seen.pending.length === 0) return [];
  const byUid = new Map(seen.pending.map((pod) => [pod.metadata.uid, pod]));
  return settled.flatMap((launched) =>
    [...launched.record.classes].flatMap(([schedulingClass, uids]) => {
      const pods = uids
        .flatMap((uid) => byUid.get(uid) ?? [])
        .filter((pod) => judgedClassOf(pod, seen) === schedulingClass);
      return findLaunchFailure(launched, { schedulingClass, pods }, { seen, now }) ?? [];
    }),
  );
}

type WaitingClass = { readonly schedulingClass: string; readonly pods: readonly Pod[] };

function findLaunchFailure(
  launched: LaunchedNode,
  { schedulingClass, pods }: WaitingClass,
  { seen, now }: Judging,
): LaunchFailure | undefined {
  const { claim, record, createdAt, state } = launched;
  const [pod] = pods.toSorted(byTextOf(podName));
  const nodePool = claim.metadata.labels?.[karpenterLabels.nodePool] ?? '';
  if (pod === undefined || state?.node === undefined || !isSamePool(nodePool, record.pools, seen)) return undefined;
  const why = whyNodeRefusesPod(pod, { launched, state }, { seen, now });
  if (why === undefined || hasBound(schedulingClass, createdAt, seen)) return undefined;
  return { nodePool, schedulingClass, launched, state, why };
}

const isSamePool = (name: string, before: ReadonlyMap<string, string>, { fingerprints }: JudgedLaunches): boolean =>
  fingerprints.has(name) && fingerprints.get(name) === before.get(name);

type JudgedPlace = { readonly launched: LaunchedNode; readonly state: NodeState };

/** What stands against the pod on its node; `undefined` when that is not certain yet, or no matter of the pod and the node. */
function whyNodeRefusesPod(pod: Pod, { launched, state }: JudgedPlace, { seen, now }: Judging): string | undefined {
  const volumes = seen.volumeRequirements.get(podName(pod));
  const refusal = refusalOfNode(pod, withoutWorkload(state), volumes);
  const isSurelySeen = now - (launched.initializedAt ?? now) >= surelySeenAfterMs;
  if (refusal !== undefined) {
    const { taint, why } = refusal;
    if (taint === undefined) return why;
    return isUnschedulableTaint(taint) || (isCondition(taint) && !isSurelySeen) ? undefined : why;
  }
  if (!isSurelySeen || refusalOfNode(pod, state, volumes) !== undefined) return undefined;
  return workloadOf(state).length > 0 && minds(pod) ? undefined : `the scheduler says: ${schedulerMessage(pod)}`;
}

/** Taken out of service since the node was ready: by a person, or because it is to go. */
const isUnschedulableTaint = ({ key }: Taint): boolean =>
  key === 'node.kubernetes.io/unschedulable' || key === disruptedTaint.key;

/** Put there by the control plane while something is wrong with the node. */
const isCondition = ({ key }: Taint): boolean => key.startsWith('node.kubernetes.io/');

/** Whether it matters to the pod where other pods are. */
const minds = ({ spec }: Pod): boolean =>
  spec.affinity?.podAffinity !== undefined ||
  spec.affinity?.podAntiAffinity !== undefined ||
  (spec.topologySpreadConstraints ?? []).length > 0;

function schedulerMessage(pod: Pod): string {
  const message = conditionOf(pod, 'PodScheduled')?.message ?? '';
  return message === '' ? 'nothing' : message;
}

/** Nodes of one attempt make one record; a claim that was created after the last judgement is another attempt. */
function addFailure(records: Map<string, readonly FutileRecord[]>, failure: LaunchFailure, now: Instant): void {
  const { nodePool, schedulingClass, launched, state, why } = failure;
  const before = latestRecord(records, schedulingClass);
  if (before !== undefined && launched.createdAt <= before.judgedAt) return;
  const attempts = (before?.attempts ?? 0) + 1;
  const record: FutileRecord = {
    schedulingClass,
    node: nodeNameOf(state),
    why: why.slice(0, longestReason),
    attempts,
    launchedAt: launched.createdAt,
    judgedAt: now,
    until: instant(now + Math.min(longestLaunchPauseMs, firstLaunchPauseMs * 2 ** (attempts - 1))),
    pools: launched.record.pools,
  };
  const others = (records.get(nodePool) ?? []).filter((each) => each.schedulingClass !== schedulingClass);
  records.set(nodePool, [...others, record]);
}

const longestReason = 300;

/** The record that counts for a class. */
export const latestRecord = (
  records: ReadonlyMap<string, readonly FutileRecord[]>,
  schedulingClass: string,
): FutileRecord | undefined =>
  [...records.values()]
    .flat()
    .filter((each) => each.schedulingClass === schedulingClass)
    .toSorted(inReverse(byNumberOf(({ judgedAt }) => judgedAt)))[0];
