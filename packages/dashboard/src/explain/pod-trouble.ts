import { type ContainerStatus, fromTimestamp, type Instant, type Pod, toTimestamp, minutes } from '@nodewright/apis';
import { isActivePod, isReadyPod } from '@nodewright/engine';

/** A container that pulls its image or waits for its init containers is not in trouble yet. */
const startingReasons: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);
/** A pod that is on its node for so long without being ready is in trouble. */
const startingMs = minutes(5);

/** Whether the pod has failed, or is active and not ready: no other one is in trouble. */
export const mayBeTroubled = (pod: Pod): boolean =>
  pod.status?.phase === 'Failed' || (isActivePod(pod) && !isReadyPod(pod));

/**
 * Why a pod on a node does not work, as a clause that follows its name.
 * @returns `undefined` while it works, starts, ends or has succeeded
 */
export function podTrouble(pod: Pod, now: Instant): string | undefined {
  if (!mayBeTroubled(pod)) return undefined;
  if (pod.status?.phase === 'Failed') return `has failed${reasonIn(pod.status)}`;
  return containerTrouble(pod) ?? longUnready(pod, now);
}

const reasonIn = ({ reason, message }: { readonly reason?: string; readonly message?: string }): string => {
  const words = [reason, message].filter((each) => each !== undefined && each !== '').join(', ');
  return words === '' ? '' : `: ${words}`;
};

function containerTrouble({ status }: Pod): string | undefined {
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name, state, restartCount } of containers) {
    const why = stateTrouble(state);
    if (why === undefined) continue;
    return `does not run: container ${name} ${why}${restartCount > 0 ? `, restarted ${restartCount} times` : ''}`;
  }
  return undefined;
}

function stateTrouble({ waiting, terminated }: NonNullable<ContainerStatus['state']> = {}): string | undefined {
  if (waiting?.reason !== undefined && !startingReasons.has(waiting.reason)) return `is in ${waiting.reason}`;
  if (terminated === undefined || terminated.exitCode === 0) return undefined;
  return `ended with exit code ${terminated.exitCode}`;
}

function longUnready({ status, metadata }: Pod, now: Instant): string | undefined {
  const since = status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime ?? status?.startTime;
  const from = fromTimestamp(since ?? metadata.creationTimestamp ?? toTimestamp(now));
  if (now - from < startingMs) return undefined;
  return `is not ready since ${toTimestamp(from)}`;
}
