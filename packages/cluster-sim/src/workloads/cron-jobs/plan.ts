import { byText, byTextOf, inOrder, type Instant, minutes, toTimestamp } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { controlledBy } from '../../objects/ownership.ts';
import { canonicalText } from '../../objects/template-hash.ts';
import { finishedCondition, type Job } from '../jobs/job.ts';
import { type CronJob, cronJobs } from './cron-job.ts';
import { dueOf, type ScheduleDue } from './schedule.ts';

export type CronJobSnapshot = {
  readonly cronJob: CronJob;
  readonly owned: readonly Job[];
  readonly now: Instant;
};

export type CronJobAction =
  | { readonly kind: 'createJob'; readonly job: Job }
  /** A job that its successor replaces. */
  | { readonly kind: 'replaceJob'; readonly job: Job }
  /** A finished job beyond the history that is kept. */
  | { readonly kind: 'deleteOldJob'; readonly job: Job }
  | { readonly kind: 'warn'; readonly reason: string; readonly message: string }
  | { readonly kind: 'note'; readonly reason: string; readonly message: string }
  | { readonly kind: 'replaceStatus'; readonly status: NonNullable<CronJob['status']> };

/** Deletes old jobs, creates the job of the time that has come, and lists the active jobs in the status. */
export function plan({ cronJob, owned, now }: CronJobSnapshot): ControllerPlan<CronJobAction> {
  const isSuspended = cronJob.spec.suspend === true;
  const jobs = owned.toSorted(oldestFirst);
  const active = jobs.filter((job) => finishedCondition(job) === undefined);
  const { due, warnings } = readSchedule(cronJob, now);
  const time = isSuspended ? undefined : due?.time;
  const isHeld = cronJob.spec.concurrencyPolicy === 'Forbid' && active.length > 0;
  return {
    actions: [
      ...listSurplusJobs(cronJob, jobs).map((job) => ({ kind: 'deleteOldJob', job }) as const),
      ...warnings,
      ...(time === undefined ? [] : isHeld ? [alreadyActive] : startJob(cronJob, active, time)),
      ...reportCronJob(cronJob, { jobs, active, served: isHeld ? undefined : time }),
    ],
    recheckAt: isSuspended ? undefined : due?.next,
  };
}

type ScheduleReading = { readonly due?: ScheduleDue; readonly warnings: readonly CronJobAction[] };

function readSchedule(cronJob: CronJob, now: Instant): ScheduleReading {
  try {
    const due = dueOf(cronJob, now);
    if (due.missed <= 1) return { due, warnings: [] };
    const message = `missed start times: ${due.missed}`;
    return { due, warnings: [{ kind: 'warn', reason: 'TooManyMissedTimes', message }] };
  } catch (error) {
    const message = `unparseable schedule: ${JSON.stringify(cronJob.spec.schedule)}: ${(error as Error).message}`;
    return { warnings: [{ kind: 'warn', reason: 'UnparseableSchedule', message }] };
  }
}

/** With `Forbid` a time that finds an active job stays due until that job is done. */
const alreadyActive: CronJobAction = {
  kind: 'note',
  reason: 'JobAlreadyActive',
  message: 'Not starting job because prior execution is running and concurrency policy is Forbid',
};

function startJob(cronJob: CronJob, active: readonly Job[], time: Instant): readonly CronJobAction[] {
  const replaced = cronJob.spec.concurrencyPolicy === 'Replace' ? active : [];
  return [
    ...replaced.map((job) => ({ kind: 'replaceJob', job }) as const),
    { kind: 'createJob', job: jobAt(cronJob, time) },
  ];
}

/** The oldest finished jobs beyond the history, jobs that are complete before jobs that failed. */
function listSurplusJobs({ spec }: CronJob, jobs: readonly Job[]): readonly Job[] {
  const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = spec;
  const surplus = (type: string, limit: number): readonly Job[] => {
    const ended = jobs.filter((job) => finishedCondition(job)?.type === type);
    return ended.slice(0, Math.max(0, ended.length - limit));
  };
  return [...surplus('Complete', successfulJobsHistoryLimit), ...surplus('Failed', failedJobsHistoryLimit)];
}

type CronJobReport = {
  readonly jobs: readonly Job[];
  readonly active: readonly Job[];
  readonly served: Instant | undefined;
};

function reportCronJob(cronJob: CronJob, { jobs, active, served }: CronJobReport): readonly CronJobAction[] {
  const before = cronJob.status ?? {};
  const completions = jobs.flatMap(({ status }) => status?.completionTime ?? []).toSorted(byText);
  const lastScheduleTime = served === undefined ? before.lastScheduleTime : toTimestamp(served);
  const lastSuccessfulTime = completions.at(-1) ?? before.lastSuccessfulTime;
  const status = {
    ...(active.length === 0 ? {} : { active: active.map(referToJob) }),
    ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
    ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
  };
  return canonicalText(before) === canonicalText(status) ? [] : [{ kind: 'replaceStatus', status }];
}

const referToJob = ({ metadata }: Job) => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  namespace: metadata.namespace ?? '',
  name: metadata.name,
  uid: metadata.uid ?? '',
});

/** The job of one time. Its name holds the time in minutes since 1970, so no time gets two jobs. */
function jobAt(cronJob: CronJob, time: Instant): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const { name, namespace } = cronJob.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${Math.floor(time / minutes(1))}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': toTimestamp(time) },
      ownerReferences: [controlledBy(cronJobs, cronJob)],
    },
    spec,
  };
}

const oldestFirst = inOrder<Job>(
  byTextOf(({ metadata }) => metadata.creationTimestamp ?? ''),
  byTextOf(objectKeyText),
);
