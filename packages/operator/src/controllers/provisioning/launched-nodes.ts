import {
  byTextOf,
  conditionOf,
  fromTimestamp,
  inOrder,
  instant,
  minutes,
  seconds,
  type Instant,
  type NodeClaim,
  type Pod,
  byNumberOf,
} from '@nodewright/apis';
import { isMarkedForDeletion, type NodeState } from '@nodewright/engine';
import { launchRecordOf, type LaunchRecord } from '../../state/launch-record.ts';

/** A claim that says for which pods it was created, and its node as far as it is there. */
export type LaunchedNode = {
  readonly claim: NodeClaim;
  readonly record: LaunchRecord;
  readonly createdAt: Instant;
  /** Absent while it has no instance. */
  readonly state?: NodeState;
  readonly initializedAt?: Instant;
};

/** The scheduler has looked at a node that is ready, and at the pods that wait for it, by then. */
const launchSettledAfterMs = seconds(30);

/** The claims among these that say for which pods they were created, the oldest first. */
export function launchedNodes(claims: readonly NodeClaim[], states: readonly NodeState[]): readonly LaunchedNode[] {
  const recorded = claims.flatMap((claim) => {
    const record = launchRecordOf(claim);
    return record === undefined ? [] : [{ claim, record }];
  });
  if (recorded.length === 0) return [];
  const byClaim = new Map(states.map((state) => [state.nodeClaim?.metadata.name, state]));
  return recorded
    .map(({ claim, record }) => launchedNode(claim, record, byClaim.get(claim.metadata.name)))
    .toSorted(oldestLaunchFirst);
}

function launchedNode(claim: NodeClaim, record: LaunchRecord, state: NodeState | undefined): LaunchedNode {
  const initialized = conditionOf(claim, 'Initialized');
  const since = initialized?.status === 'True' ? initialized.lastTransitionTime : undefined;
  return {
    claim,
    record,
    createdAt: instantOfTimestamp(claim.metadata.creationTimestamp),
    ...(state === undefined ? {} : { state }),
    ...(since === undefined ? {} : { initializedAt: fromTimestamp(since) }),
  };
}

const instantOfTimestamp = (timestamp: string | undefined): Instant =>
  timestamp === undefined ? instant(0) : fromTimestamp(timestamp);

const oldestLaunchFirst = inOrder<LaunchedNode>(
  byNumberOf(({ createdAt }) => createdAt),
  byTextOf(({ claim }) => claim.metadata.name),
);

/** Whether the scheduler has had its time with the node. */
export const isSettledLaunch = ({ initializedAt }: LaunchedNode, now: Instant): boolean =>
  initializedAt !== undefined && now - initializedAt >= launchSettledAfterMs;

/** A node that is not ready by then does not keep its pods any longer. */
const givenUpAfterMs = minutes(30);

/** Whether the pods that the node was launched for may still come to it. */
export const isAwaitedByPods = (launched: LaunchedNode, now: Instant): boolean =>
  launched.claim.metadata.deletionTimestamp === undefined &&
  now - launched.createdAt < givenUpAfterMs &&
  !isSettledLaunch(launched, now) &&
  (launched.state === undefined || !isMarkedForDeletion(launched.state));

/** The node that each waiting pod was launched for, as long as the pod may still come to it. */
export function promisedNodes(
  pending: readonly Pod[],
  launched: readonly LaunchedNode[],
  now: Instant,
): ReadonlyMap<Pod, NodeState> {
  const awaited = launched.filter((each) => isAwaitedByPods(each, now));
  if (awaited.length === 0) return new Map();
  const byUid = new Map(pending.map((pod) => [pod.metadata.uid, pod]));
  const promised = new Map<Pod, NodeState>();
  for (const { record, state } of awaited)
    for (const uid of [...record.classes.values()].flat()) {
      const pod = byUid.get(uid);
      if (pod !== undefined && state !== undefined) promised.set(pod, state);
    }
  return promised;
}
