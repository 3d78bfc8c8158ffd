import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { type Job, jobs } from '../jobs/job.ts';
import { type CronJob, cronJobs } from './cron-job.ts';
import { dueOf } from './schedule.ts';

const key = { name: 'tick', namespace: 'default' };

const aCronJob = (spec: Partial<CronJob['spec']>, command = 'sleep 10'): CronJob => ({
  apiVersion: 'batch/v1',
  kind: 'CronJob',
  metadata: { ...key },
  spec: {
    schedule: '*/5 * * * *',
    jobTemplate: {
      spec: {
        template: {
          spec: {
            restartPolicy: 'Never',
            containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', command] }],
          },
        },
      },
    },
    ...spec,
  },
});

async function after(seconds: number, cronJob: CronJob): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.create(cronJobs, cronJob);
  await cluster.after(seconds);
  return cluster;
}

const starts = async (cluster: SmallCluster): Promise<readonly string[]> =>
  (await cluster.list(jobs, 'default')).map(({ metadata }: Job) => metadata.creationTimestamp?.slice(11, 16) ?? '');

test('a job is made at each time, and the last three that were done are kept', async () => {
  const cluster = await after(31 * 60, aCronJob({}));
  expect(await starts(cluster)).toEqual(['16:20', '16:25', '16:30']);
  expect((await cluster.get(cronJobs, 'tick', 'default'))?.status).toMatchObject({
    lastScheduleTime: '2024-01-28T16:30:00Z',
  });
  expect(cluster.complaints).toEqual([]);
});

test('Forbid waits for the job at work, Replace ends it, Allow makes another', async () => {
  const work = 'sleep 420';
  expect(await starts(await after(13 * 60, aCronJob({ concurrencyPolicy: 'Forbid' }, work)))).toEqual([
    '16:05',
    '16:12',
  ]);
  expect(await starts(await after(11 * 60, aCronJob({ concurrencyPolicy: 'Replace' }, work)))).toEqual(['16:10']);
  expect(await starts(await after(11 * 60, aCronJob({}, work)))).toEqual(['16:05', '16:10']);
});

test('a suspended one makes none', async () => {
  expect(await starts(await after(600, aCronJob({ suspend: true })))).toEqual([]);
});

const made = { metadata: { name: 'tick', creationTimestamp: '2024-01-28T16:00:00Z' } } as const;
const due = (spec: Partial<CronJob['spec']>, now: string) => dueOf({ ...aCronJob(spec), ...made }, fromTimestamp(now));

test('the time is read in the zone that is named', () => {
  const { next } = due({ schedule: '0 12 * * *', timeZone: 'America/New_York' }, '2024-01-28T16:01:00Z');
  expect(next).toBe(fromTimestamp('2024-01-28T17:00:00Z'));
  expect(due({ schedule: '@daily' }, '2024-01-28T16:01:00Z').next).toBe(fromTimestamp('2024-01-29T00:00:00Z'));
});

test('of several missed times the last counts, unless it is too late or there are too many', () => {
  expect(due({}, '2024-01-28T16:12:00Z')).toMatchObject({ time: fromTimestamp('2024-01-28T16:10:00Z'), missed: 2 });
  expect(due({ startingDeadlineSeconds: 60 }, '2024-01-28T16:12:00Z').time).toBeUndefined();
  expect(due({}, '2024-01-29T16:12:00Z').time).toBeUndefined();
});
