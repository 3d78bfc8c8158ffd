import type { Instant, Pod, StatefulSet } from '@nodewright/apis';
import { isActive, isAvailable, isReadyWorkloadPod } from '../../objects/pod-health.ts';
import { revisionLabel } from '../revisions/revisions.ts';
import { withoutZeros } from '../../objects/status-patch.ts';
import { partitionOfUpdate, type Revisions } from './steps.ts';

/** The status of a set. Its update is complete when all pods are ready and have the new revision. */
export function statefulSetStatus(set: StatefulSet, owned: readonly Pod[], revisions: Revisions, now: Instant) {
  const active = owned.filter(isActive);
  const ready = owned.filter(isReadyWorkloadPod);
  const of = (revision: string): number =>
    active.filter(({ metadata }) => metadata.labels?.[revisionLabel] === revision).length;
  const updated = of(revisions.update);
  const wanted = set.spec.replicas ?? 1;
  const hasArrived =
    set.spec.updateStrategy?.type !== 'OnDelete' &&
    partitionOfUpdate(set) === 0 &&
    updated === wanted &&
    ready.length === wanted &&
    owned.length === wanted;
  const current = hasArrived ? revisions.update : revisions.current;
  return {
    replicas: owned.length,
    availableReplicas: owned.filter((pod) => isAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length,
    ...withoutZeros({ readyReplicas: ready.length, currentReplicas: of(current), updatedReplicas: updated }),
    currentRevision: current,
    updateRevision: revisions.update,
    observedGeneration: set.metadata.generation ?? 0,
    collisionCount: 0,
  };
}
