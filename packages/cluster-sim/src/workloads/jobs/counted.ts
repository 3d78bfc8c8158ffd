import { fromTimestamp, type Instant, latest, type Pod } from '@nodewright/apis';
import { isEndedPod } from '../../objects/pod-health.ts';
import { indexKey, type Job, type PodFailureRule, trackingFinalizer } from './job.ts';

/** The pods of a job by what they mean to it. */
export type JobPods = {
  /** Neither ended nor being deleted. */
  readonly active: readonly Pod[];
  readonly terminating: readonly Pod[];
  /** Ended, and not in the counts of the job yet. */
  readonly succeeded: readonly Pod[];
  readonly failed: readonly Pod[];
};

export function sortPods(job: Job, owned: readonly Pod[]): JobPods {
  const counted = new Set([
    ...(job.status?.uncountedTerminatedPods?.succeeded ?? []),
    ...(job.status?.uncountedTerminatedPods?.failed ?? []),
  ]);
  const isNew = (pod: Pod): boolean => isTracked(pod) && !counted.has(pod.metadata.uid ?? '');
  return {
    active: owned.filter((pod) => !isCountedAsEnded(pod) && pod.metadata.deletionTimestamp === undefined),
    terminating: owned.filter((pod) => !isCountedAsEnded(pod) && pod.metadata.deletionTimestamp !== undefined),
    succeeded: owned.filter((pod) => isNew(pod) && pod.status?.phase === 'Succeeded'),
    failed: owned.filter((pod) => isNew(pod) && isCountedAsEnded(pod) && pod.status?.phase !== 'Succeeded'),
  };
}

export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

/** A deleted pod that only the finalizer of the job still holds counts as failed. */
const isCountedAsEnded = (pod: Pod): boolean =>
  isEndedPod(pod) || (pod.metadata.deletionTimestamp !== undefined && pod.metadata.deletionGracePeriodSeconds === 0);

export const indexOf = ({ metadata }: Pod): number | undefined => {
  const text = metadata.annotations?.[indexKey];
  return text === undefined ? undefined : Number(text);
};

/** What the failure policy of the job says about a failed pod. A pod that no rule fits counts. */
export function verdictOn(job: Job, pod: Pod): PodFailureRule['action'] {
  const rule = job.spec.podFailurePolicy?.rules.find((each) => fitsRule(each, pod));
  return rule?.action ?? 'Count';
}

function fitsRule({ onExitCodes, onPodConditions }: PodFailureRule, { status }: Pod): boolean {
  if (onExitCodes !== undefined) {
    const { containerName, operator, values } = onExitCodes;
    return (status?.containerStatuses ?? []).some(({ name, state }) => {
      const code = state?.terminated?.exitCode ?? 0;
      if (code === 0 || (containerName !== undefined && containerName !== name)) return false;
      return values.includes(code) === (operator === 'In');
    });
  }
  return (onPodConditions ?? []).some(({ type, status: wanted = 'True' }) =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === wanted),
  );
}

/** When the last container of a pod stopped, or the pod was deleted. */
export function endOfPod({ metadata, status }: Pod): Instant | undefined {
  const ends = (status?.containerStatuses ?? []).flatMap(({ state }) => state?.terminated?.finishedAt ?? []);
  const times = [...ends, ...(metadata.deletionTimestamp === undefined ? [] : [metadata.deletionTimestamp])];
  return latest(...times.map(fromTimestamp));
}

/** Restarts of containers; they count against the backoff limit, too. */
export const restartsOf = (pods: readonly Pod[]): number =>
  pods
    .filter(({ spec }) => spec.restartPolicy === 'OnFailure')
    .flatMap(({ status }) => status?.containerStatuses ?? [])
    .reduce((sum, { restartCount }) => sum + restartCount, 0);
