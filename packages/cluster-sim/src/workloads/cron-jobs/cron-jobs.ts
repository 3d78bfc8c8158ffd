import { type EventRecorder, type KubernetesClient, objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane, Keys } from '../../control-plane/control-plane.ts';
import { startPlannedController } from '../../control-plane/planned-controller.ts';
import { recorderOf } from '../../control-plane/recorder.ts';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import { byController, controllerKey } from '../../objects/ownership.ts';
import { type Job, jobs } from '../jobs/job.ts';
import { type CronJob, cronJobs } from './cron-job.ts';
import { type CronJobAction, type CronJobSnapshot, plan } from './plan.ts';

/** Creates the Jobs of CronJobs when their time comes, and deletes old ones. */
export function runCronJobs(control: ClusterControlPlane): void {
  const { client } = control.options;
  const events = recorderOf(control.options, 'cronjob-controller');
  const keys = startPlannedController(control, {
    name: 'cron jobs',
    observe: (key) => observe(control, key),
    plan,
    perform: (action, { cronJob }) => perform(action, cronJob, { client, events }),
  });
  watchCronJobs(control, keys);
}

function observe({ watches, options }: ClusterControlPlane, key: string): CronJobSnapshot | undefined {
  const cronJob = watches.of(cronJobs).get(key);
  if (cronJob === undefined || cronJob.metadata.deletionTimestamp !== undefined) return undefined;
  const owned = watches.of(jobs).by(byController, cronJob.metadata.uid ?? '');
  return { cronJob, owned, now: options.clock.now() };
}

type CronJobWriters = { readonly client: KubernetesClient; readonly events: EventRecorder };

async function perform(action: CronJobAction, cronJob: CronJob, { client, events }: CronJobWriters): Promise<void> {
  const publish = (type: 'Normal' | 'Warning', reason: string, message: string): void =>
    events.publish({ kind: cronJobs, about: cronJob, type, reason, message });
  switch (action.kind) {
    case 'createJob': {
      const made = await unlessRefusedAs('AlreadyExists', client.create(jobs, action.job));
      if (made !== undefined) publish('Normal', 'SuccessfulCreate', `Created job ${action.job.metadata.name}`);
      return;
    }
    case 'replaceJob':
      await deleteJob(client, action.job);
      return publish('Normal', 'SuccessfulDelete', `Deleted job ${action.job.metadata.name}`);
    case 'deleteOldJob':
      return deleteJob(client, action.job);
    case 'warn':
      return publish('Warning', action.reason, action.message);
    case 'note':
      return publish('Normal', action.reason, action.message);
    case 'replaceStatus': {
      const patch = [{ op: 'add', path: '/status', value: action.status }];
      const key = keyOfMeta(cronJob.metadata);
      await unlessGone(client.patch(cronJobs, key, { type: 'json', patch }, { subresource: 'status' }));
    }
  }
}

async function deleteJob(client: KubernetesClient, { metadata }: Job): Promise<void> {
  await unlessGone(client.delete(jobs, keyOfMeta(metadata), { propagationPolicy: 'Background' }));
}

/** A CronJob is looked at when it or one of its jobs changes. */
function watchCronJobs({ watches }: ClusterControlPlane, keys: Keys): void {
  watches.of(cronJobs).onChange((before, after) => keys.add(objectKeyText((after ?? before) as CronJob)));
  watches.of(jobs).onChange((before, after) => {
    const owner = controllerKey((after ?? before) as Job, 'CronJob');
    if (owner !== undefined) keys.add(owner);
  });
}
