import { type Instant, type Pod, type StatefulSet, byNumberOf, inReverse } from '@nodewright/apis';
import { isActive, isAvailable } from '../../objects/pod-health.ts';
import { revisionLabel } from '../revisions/revisions.ts';
import { ordinalOf, ordinalsOf } from './members.ts';

/** The revisions before and after an update; both the same while there is none. */
export type Revisions = { readonly current: string; readonly update: string };

export type StatefulSetStep =
  | { readonly kind: 'create'; readonly ordinal: number; readonly revision: string }
  | { readonly kind: 'delete'; readonly pod: Pod };

/**
 * The next pods to create and delete. An ordered set creates pods upwards and deletes them downwards, one at a time, and
 * waits until each pod is available. A `Parallel` set creates and deletes all at once, but updates one at a time.
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/statefulset/
 */
export function nextSteps(
  set: StatefulSet,
  owned: readonly Pod[],
  revisions: Revisions,
  now: Instant,
): readonly StatefulSetStep[] {
  const members = membersOfSet(set, owned);
  const isOrdered = set.spec.podManagementPolicy !== 'Parallel';
  const wanted = ordinalsOf(set);
  const isWorking = (pod: Pod): boolean => isActive(pod) && isAvailable(pod, set.spec.minReadySeconds ?? 0, now);

  const unfinished = wanted.filter((ordinal) => {
    const pod = members.get(ordinal);
    return pod === undefined || !isWorking(pod);
  });
  const next = isOrdered ? unfinished.slice(0, 1) : unfinished;
  const upwards = next.flatMap((ordinal) => stepUp(set, ordinal, members.get(ordinal), revisions));
  if (isOrdered && unfinished.length > 0) return upwards;

  const condemned = [...members]
    .filter(([ordinal]) => !wanted.includes(ordinal))
    .toSorted(inReverse(byNumberOf(([ordinal]) => ordinal)));
  const leaving = condemned.slice(0, isOrdered ? 1 : undefined).map(([, pod]) => pod);
  const downwards = leaving.filter(isStayingPod).map((pod): StatefulSetStep => ({ kind: 'delete', pod }));
  if (upwards.length > 0 || condemned.length > 0) return [...upwards, ...downwards];
  return planMemberUpdate(set, members, revisions, isWorking);
}

/** Nothing for a pod that is starting or being deleted. */
function stepUp(
  set: StatefulSet,
  ordinal: number,
  pod: Pod | undefined,
  revisions: Revisions,
): readonly StatefulSetStep[] {
  if (pod === undefined) return [{ kind: 'create', ordinal, revision: revisionFor(set, ordinal, revisions) }];
  const hasEnded = pod.status?.phase === 'Failed' || pod.status?.phase === 'Succeeded';
  return hasEnded && isStayingPod(pod) ? [{ kind: 'delete', pod }] : [];
}

/** Deletes the highest pod of another revision when all pods above it are available. */
function planMemberUpdate(
  set: StatefulSet,
  members: ReadonlyMap<number, Pod>,
  { update: revision }: Revisions,
  isWorking: (pod: Pod) => boolean,
): readonly StatefulSetStep[] {
  if (set.spec.updateStrategy?.type === 'OnDelete') return [];
  const lowest = (set.spec.ordinals?.start ?? 0) + partitionOfUpdate(set);
  for (const ordinal of ordinalsOf(set).toReversed()) {
    const pod = members.get(ordinal);
    if (ordinal < lowest || pod === undefined) return [];
    if (pod.metadata.labels?.[revisionLabel] !== revision) return isStayingPod(pod) ? [{ kind: 'delete', pod }] : [];
    if (!isWorking(pod)) return [];
  }
  return [];
}

/**
 * Pods below the partition keep the current revision, all others get the update revision. The progress of the update
 * does not matter: a pod that the update deletes must not come back with the current revision.
 */
function revisionFor(set: StatefulSet, ordinal: number, { current, update: revision }: Revisions): string {
  if (set.spec.updateStrategy?.type === 'OnDelete') return revision;
  const start = set.spec.ordinals?.start ?? 0;
  return ordinal < start + partitionOfUpdate(set) ? current : revision;
}

export const partitionOfUpdate = ({ spec }: StatefulSet): number => spec.updateStrategy?.rollingUpdate?.partition ?? 0;

const isStayingPod = ({ metadata }: Pod): boolean => metadata.deletionTimestamp === undefined;

const membersOfSet = (set: StatefulSet, owned: readonly Pod[]): ReadonlyMap<number, Pod> =>
  new Map(
    owned.flatMap((pod) => {
      const ordinal = ordinalOf(set, pod);
      return ordinal === undefined ? [] : [[ordinal, pod] as const];
    }),
  );
