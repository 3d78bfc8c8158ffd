import {
  type ControllerRevision,
  type Instant,
  type PersistentVolumeClaim,
  type Pod,
  type PodTemplateSpec,
  type StatefulSet,
  statefulSets,
} from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { byObjectKey } from '../../objects/object-key.ts';
import { isActive, nextAvailable } from '../../objects/pod-health.ts';
import { differsFromPatch } from '../../objects/status-patch.ts';
import {
  planRevision,
  planSurplusRevisions,
  type RevisionAction,
  revisionLabel,
  templateOfRevision,
} from '../revisions/revisions.ts';
import { memberClaims, memberPod, ordinalOf, ordinalOfClaim, ordinalsOf } from './members.ts';
import { statefulSetStatus } from './status.ts';
import { nextSteps, type Revisions, type StatefulSetStep } from './steps.ts';

export type StatefulSetSnapshot = {
  readonly set: StatefulSet;
  readonly owned: readonly Pod[];
  /** Claims in the namespace of a set that has claim templates. */
  readonly claims: readonly PersistentVolumeClaim[];
  readonly revisions: readonly ControllerRevision[];
  /** Until then the watch may not show all pods that the controller created or deleted. */
  readonly heldUntil: Instant | undefined;
  readonly now: Instant;
};

export type StatefulSetAction =
  | RevisionAction
  | { readonly kind: 'createClaim'; readonly claim: PersistentVolumeClaim; readonly podName: string }
  | { readonly kind: 'deleteClaim'; readonly claim: PersistentVolumeClaim }
  | { readonly kind: 'createPod'; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'writeStatus'; readonly status: object };

/** Keeps the revisions of the template, the next pods and their claims, and the status. */
export function plan(snapshot: StatefulSetSnapshot): ControllerPlan<StatefulSetAction> {
  const { set, owned, revisions: known, heldUntil, now } = snapshot;
  const { present, history, actions } = planRevision(statefulSets, set, known);
  const before = known.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? present;
  const revisions: Revisions = { current: before.metadata.name, update: present.metadata.name };
  const status = statefulSetStatus(set, owned, revisions, now);
  return {
    actions: [
      ...actions,
      ...(heldUntil === undefined ? moveMembers(snapshot, revisions, history) : []),
      ...planSurplusRevisions(set, history, revisionsInUse(status, owned)),
      ...(differsFromPatch(set.status, status) ? [{ kind: 'writeStatus', status } as const] : []),
    ],
    recheckAt: heldUntil ?? nextAvailable(owned.filter(isActive), set.spec.minReadySeconds ?? 0, now),
  };
}

function moveMembers(
  snapshot: StatefulSetSnapshot,
  revisions: Revisions,
  history: readonly ControllerRevision[],
): readonly StatefulSetAction[] {
  const { set, owned, now } = snapshot;
  const steps = nextSteps(set, owned, revisions, now);
  return [...steps.flatMap((step) => actionsOfStep(snapshot, step, history)), ...dropClaims(snapshot)];
}

/** The claims of a pod are created before the pod. */
function actionsOfStep(
  { set, claims }: StatefulSetSnapshot,
  step: StatefulSetStep,
  history: readonly ControllerRevision[],
): readonly StatefulSetAction[] {
  if (step.kind === 'delete') return [{ kind: 'deletePod', pod: step.pod }];
  const { ordinal, revision } = step;
  const pod = memberPod(set, ordinal, templateFor(set, revision, history), revision);
  const missing = memberClaims(set, ordinal).filter(
    (claim) => !claims.some(({ metadata }) => metadata.name === claim.metadata.name),
  );
  return [
    ...missing.map((claim) => ({ kind: 'createClaim', claim, podName: pod.metadata.name }) as const),
    { kind: 'createPod', pod },
  ];
}

function templateFor({ spec }: StatefulSet, revision: string, history: readonly ControllerRevision[]): PodTemplateSpec {
  const recorded = history.find(({ metadata }) => metadata.name === revision)?.data;
  return templateOfRevision(recorded) ?? spec.template ?? { spec: { containers: [] } };
}

/** With the policy `whenScaled: Delete` claims of ordinals that the set gave up go, after their pods. */
function dropClaims({ set, owned, claims }: StatefulSetSnapshot): readonly StatefulSetAction[] {
  if (set.spec.persistentVolumeClaimRetentionPolicy?.whenScaled !== 'Delete') return [];
  const taken = new Set([...ordinalsOf(set), ...owned.map((pod) => ordinalOf(set, pod))]);
  const isGivenUp = (claim: PersistentVolumeClaim): boolean => {
    const ordinal = ordinalOfClaim(set, claim);
    return ordinal !== undefined && !taken.has(ordinal);
  };
  return claims
    .filter(isGivenUp)
    .toSorted(byObjectKey)
    .map((claim) => ({ kind: 'deleteClaim', claim }));
}

const revisionsInUse = (status: ReturnType<typeof statefulSetStatus>, owned: readonly Pod[]): ReadonlySet<string> =>
  new Set([
    status.currentRevision,
    status.updateRevision,
    ...owned.map(({ metadata }) => metadata.labels?.[revisionLabel] ?? ''),
  ]);
