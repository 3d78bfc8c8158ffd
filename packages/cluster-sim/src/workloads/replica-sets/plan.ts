import {
  byTextOf,
  type Condition,
  inOrder,
  type Instant,
  type Pod,
  readOwn,
  type ReplicaSet,
  replicaSets,
  toTimestamp,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import type { AlikeObjects } from '../../control-plane/watched.ts';
import { mergeConditions } from '../../objects/conditions.ts';
import { isAvailable, isReadyWorkloadPod, nextAvailable } from '../../objects/pod-health.ts';
import { differsFromPatch, withoutZeros } from '../../objects/status-patch.ts';
import { podFromTemplate } from '../pod-from-template.ts';

export type ReplicaSetSnapshot = {
  readonly set: ReplicaSet;
  /** Pods of the set that have not ended and are not being deleted, as many of them as are alike together. */
  readonly active: readonly AlikeObjects<Pod>[];
  /** Pods that are being deleted; undefined where the version does not count them. */
  readonly terminating?: readonly AlikeObjects<Pod>[] | undefined;
  /** Each of these pods, for a set that has too many. */
  readonly listActive: () => readonly Pod[];
  /** Until then the watch may not show all pods that the controller created or deleted. */
  readonly heldUntil: Instant | undefined;
  readonly now: Instant;
};

export type ReplicaSetAction =
  | { readonly kind: 'createPod'; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'writeStatus'; readonly status: ReplicaSetStatusPatch };

type ReplicaSetStatusPatch = Readonly<Record<string, number | null | readonly Condition[]>>;

/** Creates the pods that are missing or deletes the surplus, and keeps the counts of the status. */
export function plan(snapshot: ReplicaSetSnapshot): ControllerPlan<ReplicaSetAction> {
  const { set, active, heldUntil, now } = snapshot;
  const scaling = heldUntil === undefined ? scalePods(snapshot) : [];
  const status = {
    ...countReplicas(snapshot),
    ...(scaling.length === 0 && heldUntil === undefined && withoutFailure(set)),
  };
  const report: readonly ReplicaSetAction[] = differsFromPatch(set.status, status)
    ? [{ kind: 'writeStatus', status }]
    : [];
  return {
    actions: [...scaling, ...report],
    recheckAt: heldUntil ?? nextAvailable(active.map(oneOf), set.spec.minReadySeconds ?? 0, now),
  };
}

const failureType = 'ReplicaFailure';

/** The conditions of a set that has all its pods, where they tell that it had not. */
function withoutFailure({ status }: ReplicaSet): { readonly conditions?: readonly Condition[] | null } {
  const left = (status?.conditions ?? []).filter(({ type }) => type !== failureType);
  if (left.length === (status?.conditions ?? []).length) return {};
  return { conditions: left.length === 0 ? null : left };
}

/** The status of a set that could not make a pod. It tells of the first failure until the set has all its pods. */
export function failedCreateStatus(snapshot: ReplicaSetSnapshot, message: string): ReplicaSetStatusPatch {
  const { set, now } = snapshot;
  const known = set.status?.conditions?.find(({ type, reason }) => type === failureType && reason === 'FailedCreate');
  const failure: Condition = known ?? { type: failureType, status: 'True', reason: 'FailedCreate', message };
  return {
    ...countReplicas(snapshot),
    conditions: mergeConditions(set.status?.conditions, [failure], toTimestamp(now)),
  };
}

function scalePods({ set, active, listActive }: ReplicaSetSnapshot): readonly ReplicaSetAction[] {
  const { template } = set.spec;
  if (template === undefined) return [];
  const missing = (set.spec.replicas ?? 1) - countAlike(active);
  if (missing < 0) {
    const surplus = listActive().toSorted(leastWorthFirst).slice(0, -missing);
    return surplus.map((pod) => ({ kind: 'deletePod', pod }));
  }
  const pod = podFromTemplate(template, { type: replicaSets, object: set });
  return Array.from({ length: missing }, () => ({ kind: 'createPod', pod }));
}

function countReplicas({ set, active, terminating, now }: ReplicaSetSnapshot): ReplicaSetStatusPatch {
  const minReadySeconds = set.spec.minReadySeconds ?? 0;
  const labels = Object.entries(set.spec.template?.metadata?.labels ?? {});
  const isLabeled = ({ metadata }: Pod): boolean =>
    labels.every(([name, value]) => readOwn(metadata.labels, name) === value);
  return {
    replicas: countAlike(active),
    ...withoutZeros({
      fullyLabeledReplicas: countAlike(active, isLabeled),
      readyReplicas: countAlike(active, isReadyWorkloadPod),
      availableReplicas: countAlike(active, (pod) => isAvailable(pod, minReadySeconds, now)),
      observedGeneration: set.metadata.generation ?? 0,
    }),
    ...(terminating !== undefined && { terminatingReplicas: countAlike(terminating) }),
  };
}

const oneOf = ({ one }: AlikeObjects<Pod>): Pod => one;

const countAlike = (alike: ReplicaSetSnapshot['active'], isCounted: (pod: Pod) => boolean = () => true): number =>
  alike.reduce((sum, { one, count }) => (isCounted(one) ? sum + count : sum), 0);

const rankPodWorth = (pod: Pod): number =>
  (pod.spec.nodeName === undefined ? 0 : 1) + (isReadyWorkloadPod(pod) ? 1 : 0);

/** Pods without a node first, then pods that are not ready, then the youngest. */
const leastWorthFirst = inOrder<Pod>(
  byNumberOf(rankPodWorth),
  inReverse(byTextOf(({ metadata }) => metadata.creationTimestamp ?? '')),
  byTextOf(objectKeyText),
);
