import { earliest, fromTimestamp, instant, type Instant, latest, minutes, type Pod, seconds } from '@nodewright/apis';
import { endOfPod, indexOf, type JobPods, restartsOf, verdictOn } from './counted.ts';
import { finishedCondition, type Job } from './job.ts';
import { parseIndexes } from './index-ranges.ts';

export type JobEnd = { readonly type: 'Complete' | 'Failed'; readonly reason: string; readonly message: string };

/** What a job needs next. */
export type JobPlan = {
  /** The end of the job, once it is decided. */
  readonly end?: JobEnd;
  /** How many pods to create; for an indexed job, with these indexes. */
  readonly create: number;
  readonly indexes: readonly number[];
  readonly remove: readonly Pod[];
  /** When to decide again although nothing changes. */
  readonly due?: Instant;
};

const firstJobBackoffMs = seconds(10);
const longestJobBackoffMs = minutes(10);

/**
 * The pods to create and to delete, or the end of the job.
 * @param pods of the job, sorted
 * @param ended pods of the job that have ended and still exist: the last failure sets the wait before the next try
 * @see https://kubernetes.io/docs/concepts/workloads/controllers/job/
 */
export function planJob(job: Job, pods: JobPods, ended: readonly Pod[], now: Instant): JobPlan {
  const removeAll = { create: 0, indexes: [], remove: pods.active };
  if (finishedCondition(job) !== undefined) return removeAll;
  const end = endOfJob(job, pods, now);
  if (end !== undefined) return { ...removeAll, end };
  if (job.spec.suspend === true) return removeAll;
  const deadline = deadlineOfJob(job);
  const missing = missingPods(job, pods);
  const surplus = missing < 0 ? pods.active.slice(missing) : [];
  const retry = retryTime(job, pods, ended);
  const waits = missing > 0 && retry !== undefined && retry > now;
  const due = earliest(deadline, waits ? retry : undefined);
  const create = waits ? 0 : Math.max(0, missing);
  return {
    create,
    indexes: freeIndexes(job, pods).slice(0, create),
    remove: surplus,
    ...(due === undefined ? {} : { due }),
  };
}

const succeededBy = ({ status }: Job, { succeeded }: JobPods): number =>
  (status?.succeeded ?? 0) + (status?.uncountedTerminatedPods?.succeeded?.length ?? 0) + succeeded.length;

const countFailures = (job: Job, { failed }: JobPods): number =>
  (job.status?.failed ?? 0) +
  (job.status?.uncountedTerminatedPods?.failed?.length ?? 0) +
  failed.filter((pod) => verdictOn(job, pod) !== 'Ignore').length;

function endOfJob(job: Job, pods: JobPods, now: Instant): JobEnd | undefined {
  const decided = decidedEnd(job);
  if (decided !== undefined) return decided;
  const { completions, backoffLimit = 6 } = job.spec;
  const culprit = pods.failed.find((pod) => verdictOn(job, pod) === 'FailJob');
  if (culprit !== undefined)
    return failedJobEnd(
      'PodFailurePolicy',
      `Pod ${culprit.metadata.namespace}/${culprit.metadata.name} matches a FailJob rule`,
    );
  const failures = countFailures(job, pods) + restartsOf(pods.active);
  if (failures > backoffLimit)
    return failedJobEnd('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  const deadline = deadlineOfJob(job);
  if (deadline !== undefined && deadline <= now && job.spec.suspend !== true) {
    return failedJobEnd('DeadlineExceeded', 'Job was active longer than specified deadline');
  }
  const succeeded = succeededBy(job, pods);
  const isDone =
    completions === undefined
      ? succeeded > 0 && pods.active.length + pods.terminating.length === 0
      : succeeded >= completions;
  return isDone
    ? { type: 'Complete', reason: 'CompletionsReached', message: 'Reached expected number of succeeded pods' }
    : undefined;
}

/** An end that was decided stays, whatever happens until the last pod is gone. */
function decidedEnd({ status }: Job): JobEnd | undefined {
  const found = status?.conditions?.find(
    ({ type, status: value }) => (type === 'SuccessCriteriaMet' || type === 'FailureTarget') && value === 'True',
  );
  if (found === undefined) return undefined;
  const type = found.type === 'FailureTarget' ? 'Failed' : 'Complete';
  return { type, reason: found.reason ?? '', message: found.message ?? '' };
}

const failedJobEnd = (reason: string, message: string): JobEnd => ({ type: 'Failed', reason, message });

function deadlineOfJob({ spec, status }: Job): Instant | undefined {
  if (spec.activeDeadlineSeconds === undefined || status?.startTime === undefined) return undefined;
  return instant(fromTimestamp(status.startTime) + spec.activeDeadlineSeconds * 1000);
}

/** Negative when there are too many. A job without `completions` creates no pods once one pod has succeeded. */
function missingPods(job: Job, pods: JobPods): number {
  const { parallelism = 1, completions, podReplacementPolicy } = job.spec;
  const succeeded = succeededBy(job, pods);
  const wanted =
    completions === undefined ? (succeeded > 0 ? pods.active.length : parallelism) : completions - succeeded;
  const leaving = podReplacementPolicy === 'Failed' ? pods.terminating.length : 0;
  return Math.min(parallelism, wanted) - pods.active.length - leaving;
}

/** Twice as long after each failure. */
function retryTime(job: Job, pods: JobPods, ended: readonly Pod[]): Instant | undefined {
  const failures = countFailures(job, pods);
  const lastEnd = latest(...ended.filter(({ status }) => status?.phase !== 'Succeeded').map(endOfPod));
  if (failures === 0 || lastEnd === undefined) return undefined;
  return instant(lastEnd + Math.min(longestJobBackoffMs, firstJobBackoffMs * 2 ** (failures - 1)));
}

/** Indexes without a pod that is active or has succeeded, the smallest first. */
function freeIndexes(job: Job, pods: JobPods): readonly number[] {
  if (job.spec.completionMode !== 'Indexed') return [];
  const taken = new Set(parseIndexes(job.status?.completedIndexes));
  for (const pod of [...pods.active, ...pods.succeeded]) taken.add(indexOf(pod) ?? -1);
  return Array.from({ length: job.spec.completions ?? 0 }, (_, index) => index).filter((index) => !taken.has(index));
}
