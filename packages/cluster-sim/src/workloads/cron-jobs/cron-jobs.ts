import { byText, type Instant, toTimestamp } from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Recheck } from '../../control-plane/control-plane.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { finishedCondition, type Job, jobs } from '../jobs/job.ts';
import { byController, controlledBy, controllerKey } from '../../objects/ownership.ts';
import { canonicalText } from '../../objects/template-hash.ts';
import { type CronJob, cronJobs } from './cron-job.ts';
import { type Due, dueOf } from './schedule.ts';

/** Makes the Jobs of CronJobs when their time comes, and forgets old ones. */
export function runCronJobs(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const { client, clock } = options;
  const known = watches.of(cronJobs);
  const allJobs = watches.of(jobs);
  const events = recorderOf(options, 'cronjob-controller');

  const reconcile = async (key: string): Promise<Recheck> => {
    const cronJob = known.get(key);
    if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return undefined;
    const owned = allJobs.by(byController, cronJob.metadata.uid ?? '').toSorted(oldestFirst);
    await forget(cronJob, owned);
    const due = readDue(cronJob);
    const served =
      due?.time === undefined || cronJob.spec.suspend === true ? undefined : await serve(cronJob, owned, due.time);
    await report(cronJob, owned, served);
    return cronJob.spec.suspend === true ? undefined : due?.next;
  };

  const readDue = (cronJob: CronJob): Due | undefined => {
    try {
      const due = dueOf(cronJob, clock.now());
      if (due.missed > 1) tell(cronJob, 'Warning', 'TooManyMissedTimes', `missed start times: ${due.missed}`);
      return due;
    } catch (error) {
      const message = `unparseable schedule: ${JSON.stringify(cronJob.spec.schedule)}: ${(error as Error).message}`;
      tell(cronJob, 'Warning', 'UnparseableSchedule', message);
      return undefined;
    }
  };

  /** The time that is served with this. With `Forbid` a time that finds a job at work stays due until it is done. */
  const serve = async (cronJob: CronJob, owned: readonly Job[], time: Instant): Promise<Instant | undefined> => {
    const atWork = owned.filter((job) => finishedCondition(job) === undefined);
    const { concurrencyPolicy } = cronJob.spec;
    if (concurrencyPolicy === 'Forbid' && atWork.length > 0) {
      tell(
        cronJob,
        'Normal',
        'JobAlreadyActive',
        'Not starting job because prior execution is running and concurrency policy is Forbid',
      );
      return undefined;
    }
    if (concurrencyPolicy === 'Replace') for (const job of atWork) await remove(cronJob, job, 'Deleted');
    const job = jobAt(cronJob, time);
    const made = await unlessRefusedAs('AlreadyExists', client.create(jobs, job));
    if (made !== undefined) tell(cronJob, 'Normal', 'SuccessfulCreate', `Created job ${job.metadata.name}`);
    return time;
  };

  const forget = async (cronJob: CronJob, owned: readonly Job[]): Promise<void> => {
    const { successfulJobsHistoryLimit = 3, failedJobsHistoryLimit = 1 } = cronJob.spec;
    const ended = (type: string): readonly Job[] => owned.filter((job) => finishedCondition(job)?.type === type);
    const surplus = (list: readonly Job[], limit: number): readonly Job[] =>
      list.slice(0, Math.max(0, list.length - limit));
    const old = [
      ...surplus(ended('Complete'), successfulJobsHistoryLimit),
      ...surplus(ended('Failed'), failedJobsHistoryLimit),
    ];
    for (const job of old) await remove(cronJob, job, 'SawCompletedJob');
  };

  const remove = async (cronJob: CronJob, job: Job, how: 'Deleted' | 'SawCompletedJob'): Promise<void> => {
    await unlessGone(client.delete(jobs, keyOfMeta(job.metadata), { propagationPolicy: 'Background' }));
    if (how === 'Deleted') tell(cronJob, 'Normal', 'SuccessfulDelete', `Deleted job ${job.metadata.name}`);
  };

  const report = async (cronJob: CronJob, owned: readonly Job[], served: Instant | undefined): Promise<void> => {
    const atWork = owned.filter((job) => finishedCondition(job) === undefined);
    const active = atWork.map(({ metadata }) => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      namespace: metadata.namespace ?? '',
      name: metadata.name,
      uid: metadata.uid ?? '',
    }));
    const lastSuccess = owned
      .flatMap(({ status }) => status?.completionTime ?? [])
      .toSorted(byText)
      .at(-1);
    const lastScheduleTime = served === undefined ? cronJob.status?.lastScheduleTime : toTimestamp(served);
    const lastSuccessfulTime = lastSuccess ?? cronJob.status?.lastSuccessfulTime;
    const status = {
      ...(active.length === 0 ? {} : { active }),
      ...(lastScheduleTime === undefined ? {} : { lastScheduleTime }),
      ...(lastSuccessfulTime === undefined ? {} : { lastSuccessfulTime }),
    };
    if (canonicalText(cronJob.status ?? {}) === canonicalText(status)) return;
    const patch = [{ op: 'add', path: '/status', value: status }];
    const key = keyOfMeta(cronJob.metadata);
    await unlessGone(client.patch(cronJobs, key, { type: 'json', patch }, { subresource: 'status' }));
  };

  const tell = (about: CronJob, type: 'Normal' | 'Warning', reason: string, message: string): void =>
    events.publish({ kind: cronJobs, about, type, reason, message });

  const keys = control.controller('cron jobs', reconcile);
  known.onChange((before, after) => keys.add(objectKeyText((after ?? before) as CronJob)));
  allJobs.onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Job, 'CronJob');
    if (owner !== undefined) keys.add(owner);
  });
}

/** One job for each time: the name says which, in minutes since 1970. */
function jobAt(cronJob: CronJob, time: Instant): Job {
  const { metadata, spec } = cronJob.spec.jobTemplate;
  const { name, namespace } = cronJob.metadata;
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: {
      name: `${name}-${Math.floor(time / 60_000)}`,
      ...(namespace === undefined ? {} : { namespace }),
      ...(metadata?.labels === undefined ? {} : { labels: metadata.labels }),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': toTimestamp(time) },
      ownerReferences: [controlledBy(cronJobs, cronJob)],
    },
    spec,
  };
}

const oldestFirst = (a: Job, b: Job): number =>
  byText(a.metadata.creationTimestamp ?? '', b.metadata.creationTimestamp ?? '') ||
  byText(objectKeyText(a), objectKeyText(b));
