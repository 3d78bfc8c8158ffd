import { conditionOf, fromTimestamp, type Instant, type Pod } from '@nodewright/apis';
import { isMirrorPod } from '@nodewright/engine';

/** What a pod shows of its containers now. Retries of a start are the same start. */
export type PodObservation = {
  /** Since when it is on its node. */
  readonly boundAt: Instant;
  /** A container of it was started, or could not be. */
  readonly hasStarted: boolean;
  readonly hasFailedStart: boolean;
  readonly hasRestarted: boolean;
  /** It is Ready, or has done its work. */
  readonly isReady: boolean;
};

/** Why a container cannot be started that was to be. An image that cannot be pulled, or a Secret that is missing, is not the node's fault. */
const failedStarts: ReadonlySet<string> = new Set([
  'CreateContainerError',
  'RunContainerError',
  'StartError',
  'ContainerCannotRun',
]);

/** Absent for a pod that is on no node, and for one that its kubelet runs from a file. */
export function readPodObservation(pod: Pod): PodObservation | undefined {
  if ((pod.spec.nodeName ?? '') === '' || isMirrorPod(pod)) return undefined;
  const { status, metadata } = pod;
  const bound = status?.startTime ?? metadata.creationTimestamp;
  if (bound === undefined) return undefined;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const hasFailedStart = containers.some(isFailedStart);
  const isOver = status?.phase === 'Succeeded' || status?.phase === 'Failed';
  return {
    boundAt: fromTimestamp(bound),
    hasStarted: hasFailedStart || isOver || containers.some(({ state }) => state?.running ?? state?.terminated),
    hasFailedStart,
    hasRestarted: containers.some(({ restartCount }) => (restartCount ?? 0) > 0),
    isReady: status?.phase === 'Succeeded' || conditionOf(pod, 'Ready')?.status === 'True',
  };
}

type PodContainerStatus = NonNullable<NonNullable<Pod['status']>['containerStatuses']>[number];

const isFailedStart = ({ state, lastState }: PodContainerStatus): boolean =>
  [state?.waiting?.reason, state?.terminated?.reason, lastState?.terminated?.reason].some(
    (reason) => reason !== undefined && failedStarts.has(reason),
  );

/**
 * Who made the pod, with the revision of its template: a new version of an application is compared with itself. The jobs
 * of one CronJob are one owner.
 */
export function ownerOfPod({ metadata }: Pod): string {
  const owner = metadata.ownerReferences?.find(({ controller }) => controller === true);
  const namespace = metadata.namespace ?? 'default';
  if (owner === undefined) return `Pod/${namespace}/${metadata.generateName ?? metadata.name}`;
  const name = owner.kind === 'Job' ? owner.name.replace(/-\d{6,}$/, '') : owner.name;
  const revision = metadata.labels?.['controller-revision-hash'];
  return `${owner.kind}/${namespace}/${name}${revision === undefined ? '' : `@${revision}`}`;
}
