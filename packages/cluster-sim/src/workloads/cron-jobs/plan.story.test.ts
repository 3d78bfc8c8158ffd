import { fromTimestamp, minutes } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { Job } from '../jobs/job.ts';
import type { CronJob } from './cron-job.ts';
import { type CronJobAction, plan } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:30Z');

const aCronJob = (spec: Partial<CronJob['spec']> = {}, status: CronJob['status'] = {}): CronJob => ({
  metadata: { name: 'tick', namespace: 'default', creationTimestamp: '2024-01-28T15:57:00Z' },
  spec: { schedule: '*/5 * * * *', jobTemplate: { spec: { template: { spec: { containers: [] } } } }, ...spec },
  status,
});

type CronJobEnd = 'Complete' | 'Failed' | undefined;

const aJob = (name: string, end?: CronJobEnd): Job => ({
  metadata: { name, namespace: 'default', uid: name },
  spec: { template: { spec: { containers: [] } } },
  ...(end === undefined ? {} : { status: { conditions: [{ type: end, status: 'True' }] } }),
});

const showAction = (action: CronJobAction): string => {
  if ('job' in action) return `${action.kind} ${action.job.metadata.name}`;
  return 'reason' in action ? `${action.kind} ${action.reason}` : action.kind;
};

const minute = now / minutes(1) - 0.5;
const served = { lastScheduleTime: '2024-01-28T16:00:00Z' };

type CronCase = {
  readonly fact: string;
  readonly cronJob: CronJob;
  readonly owned?: readonly Job[];
  readonly actions: readonly string[];
};

const cases: readonly CronCase[] = [
  {
    fact: 'creates the job of the time that has come',
    cronJob: aCronJob(),
    actions: [`createJob tick-${minute}`, 'replaceStatus'],
  },
  { fact: 'creates one job for each time', cronJob: aCronJob({}, served), actions: [] },
  { fact: 'creates nothing while it is suspended', cronJob: aCronJob({ suspend: true }), actions: [] },
  {
    fact: 'waits for the active job with Forbid',
    cronJob: aCronJob({ concurrencyPolicy: 'Forbid' }),
    owned: [aJob('a')],
    actions: ['note JobAlreadyActive', 'replaceStatus'],
  },
  {
    fact: 'deletes the active job first with Replace',
    cronJob: aCronJob({ concurrencyPolicy: 'Replace' }),
    owned: [aJob('a')],
    actions: ['replaceJob a', `createJob tick-${minute}`, 'replaceStatus'],
  },
  {
    fact: 'runs beside the active job with Allow',
    cronJob: aCronJob(),
    owned: [aJob('a')],
    actions: [`createJob tick-${minute}`, 'replaceStatus'],
  },
  {
    fact: 'keeps three complete jobs and one that failed',
    cronJob: aCronJob({}, served),
    owned: [
      ...['e', 'd', 'c', 'b', 'a'].map((name) => aJob(name, 'Complete')),
      ...['y', 'x'].map((name) => aJob(name, 'Failed')),
    ],
    actions: ['deleteOldJob a', 'deleteOldJob b', 'deleteOldJob x'],
  },
  {
    fact: 'warns of missed times, and serves the last',
    cronJob: aCronJob({ schedule: '* * * * *' }),
    actions: ['warn TooManyMissedTimes', `createJob tick-${minute}`, 'replaceStatus'],
  },
  {
    fact: 'warns of a schedule that is not valid',
    cronJob: aCronJob({ schedule: 'now and then' }),
    actions: ['warn UnparseableSchedule'],
  },
];

for (const { fact, cronJob, owned = [], actions } of cases) {
  test(`a CronJob ${fact}`, () => {
    expect(plan({ cronJob, owned, now }).actions.map(showAction)).toEqual(actions);
  });
}

test('the plan is due at the next time, unless it is suspended', () => {
  const next = fromTimestamp('2024-01-28T16:05:00Z');
  expect(plan({ cronJob: aCronJob(), owned: [], now }).recheckAt).toBe(next);
  expect(plan({ cronJob: aCronJob({ suspend: true }), owned: [], now }).recheckAt).toBeUndefined();
});
