import { earliest, fromTimestamp, instant, type Instant, type Pod } from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { byObjectKey } from '../../objects/object-key.ts';
import { canonicalText } from '../../objects/template-hash.ts';
import { isTracked, type JobPods, sortPods, verdictOn } from './counted.ts';
import { finishedCondition, type Job, type JobStatus } from './job.ts';
import { jobPod } from './job-pod.ts';
import { type JobPlan, planJob } from './next-pods.ts';
import { statusOfJob } from './status.ts';

export type JobSnapshot = {
  /** Undefined when only pods of the job are left. */
  readonly job: Job | undefined;
  readonly owned: readonly Pod[];
  /** Until then the watch may not show all pods that the controller created or deleted. */
  readonly heldUntil: Instant | undefined;
  readonly now: Instant;
};

/** The event that tells of the end of a job. */
export type JobEndReport = {
  readonly type: 'Normal' | 'Warning';
  readonly reason: string;
  readonly message: string;
};

export type JobAction =
  | { readonly kind: 'writeStatus'; readonly status: JobStatus }
  | { readonly kind: 'reportEnd'; readonly report: JobEndReport }
  /** Removes the finalizer that holds the pod until it is counted. */
  | { readonly kind: 'releasePod'; readonly pod: Pod }
  | { readonly kind: 'createPod'; readonly pod: Pod }
  | { readonly kind: 'deletePod'; readonly pod: Pod }
  | { readonly kind: 'deleteJob' };

/**
 * Writes the counts, releases the pods that are in them, then creates and deletes pods. A pod is released only after
 * the status that counts it is written, so a turn that ends early counts no pod twice.
 */
export function plan({ job, owned, heldUntil, now }: JobSnapshot): ControllerPlan<JobAction> {
  if (job === undefined || job.metadata.deletionTimestamp !== undefined) return releaseLeftPods(job, owned);
  if (heldUntil !== undefined) return { actions: [], recheckAt: heldUntil };
  const sorted = sortPods(job, owned);
  const next = planJob(job, sorted, owned, now);
  const status = statusOfJob(job, owned, sorted, next.end, now);
  const expiry = expiryOfJob(job);
  const isExpired = expiry !== undefined && expiry <= now;
  return {
    actions: [
      ...reportJob(job, status),
      ...listReleasable(job, owned, sorted, status).map((pod) => ({ kind: 'releasePod', pod }) as const),
      ...movePods(job, next),
      ...(isExpired ? [{ kind: 'deleteJob' } as const] : []),
    ],
    recheckAt: earliest(next.due, isExpired ? undefined : expiry),
  };
}

/** Pods of a job that is gone are not counted. While the job is being deleted its pods are released as they go. */
function releaseLeftPods(job: Job | undefined, owned: readonly Pod[]): ControllerPlan<JobAction> {
  const left = owned.filter(
    (pod) => isTracked(pod) && (job === undefined || pod.metadata.deletionTimestamp !== undefined),
  );
  return { actions: left.toSorted(byObjectKey).map((pod) => ({ kind: 'releasePod', pod })) };
}

function reportJob(job: Job, status: JobStatus): readonly JobAction[] {
  if (canonicalText(job.status) === canonicalText(status)) return [];
  const end = finishedCondition({ ...job, status });
  if (end === undefined || finishedCondition(job) !== undefined) return [{ kind: 'writeStatus', status }];
  const report: JobEndReport =
    end.type === 'Complete'
      ? { type: 'Normal', reason: 'Completed', message: 'Job completed' }
      : { type: 'Warning', reason: end.reason ?? 'Failed', message: end.message ?? '' };
  return [
    { kind: 'writeStatus', status },
    { kind: 'reportEnd', report },
  ];
}

/** Pods that the status notes, and failed pods that the policy ignores. */
function listReleasable(
  job: Job,
  owned: readonly Pod[],
  { failed }: JobPods,
  { uncountedTerminatedPods: noted = {} }: JobStatus,
): readonly Pod[] {
  const uids = new Set([...(noted.succeeded ?? []), ...(noted.failed ?? [])]);
  const ignored = new Set(failed.filter((pod) => verdictOn(job, pod) === 'Ignore'));
  return owned.filter((pod) => isTracked(pod) && (uids.has(pod.metadata.uid ?? '') || ignored.has(pod)));
}

function movePods(job: Job, { create, indexes, remove }: JobPlan): readonly JobAction[] {
  const created = Array.from({ length: create }, (_, count) => jobPod(job, indexes[count]));
  return [
    ...created.map((pod) => ({ kind: 'createPod', pod }) as const),
    ...remove.map((pod) => ({ kind: 'deletePod', pod }) as const),
  ];
}

/** When a finished job is deleted; never without `ttlSecondsAfterFinished`. */
function expiryOfJob(job: Job): Instant | undefined {
  const ttl = job.spec.ttlSecondsAfterFinished;
  const finishedAt = finishedCondition(job)?.lastTransitionTime;
  if (ttl === undefined || finishedAt === undefined) return undefined;
  return instant(fromTimestamp(finishedAt) + ttl * 1000);
}
