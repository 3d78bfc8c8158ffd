import { fromTimestamp, instant, type Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { indexKey, type Job, type JobSpec, type JobStatus, trackingFinalizer } from './job.ts';
import { type JobAction, type JobSnapshot, plan } from './plan.ts';

const startTime = '2024-01-28T15:59:00Z';
const now = fromTimestamp('2024-01-28T16:00:00Z');
const later = (ms: number) => instant(now + ms);

const aJob = (spec: Partial<JobSpec> = {}, status: JobStatus = {}): Job => ({
  metadata: { name: 'work', namespace: 'default' },
  spec: { completions: 1, template: { spec: { containers: [{ name: 'main' }] } }, ...spec },
  status: { startTime, ...status },
});

type Phase = 'Pending' | 'Running' | 'Succeeded' | 'Failed';

const aJobPod = (
  name: string,
  phase: Phase,
  { index, exitCode = 0 }: { index?: number; exitCode?: number } = {},
): Pod => {
  const finishedAt = '2024-01-28T15:59:55Z';
  const container = { name: 'main', image: 'busybox', imageID: '', ready: false, restartCount: 0 };
  const terminated = { exitCode, finishedAt };
  const hasEnded = phase === 'Succeeded' || phase === 'Failed';
  return {
    metadata: {
      name,
      namespace: 'default',
      uid: name,
      finalizers: [trackingFinalizer],
      ...(index === undefined ? {} : { annotations: { [indexKey]: String(index) } }),
    },
    spec: { containers: [{ name: 'main' }] },
    status: { phase, ...(hasEnded ? { containerStatuses: [{ ...container, state: { terminated } }] } : {}) },
  };
};

const untracked = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, finalizers: [] } });
const deleted = (pod: Pod): Pod => ({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: startTime } });

const showAction = (action: JobAction): string => {
  if ('pod' in action) return `${action.kind} ${action.pod.metadata.name || action.pod.metadata.generateName}`;
  return action.kind === 'reportEnd' ? `${action.kind} ${action.report.reason}` : action.kind;
};

const planFor = (job: Job | undefined, owned: readonly Pod[], changes: Partial<JobSnapshot> = {}) =>
  plan({ job, owned, heldUntil: undefined, now, ...changes });

const finished = (type: 'Complete' | 'Failed', at = '2024-01-28T15:59:58Z'): JobStatus => ({
  conditions: [{ type, status: 'True', reason: 'Done', message: '', lastTransitionTime: at }],
});
const failsOn42 = { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] } as const;
const ignoresAll = { rules: [{ action: 'Ignore', onExitCodes: { operator: 'NotIn', values: [0] } }] } as const;
const indexed = { completions: 3, parallelism: 3, completionMode: 'Indexed' } as const;

type JobCase = {
  readonly fact: string;
  readonly job: Job | undefined;
  readonly owned?: readonly Pod[];
  readonly changes?: Partial<JobSnapshot>;
  readonly actions: readonly string[];
};

const cases: readonly JobCase[] = [
  { fact: 'creates its pod', job: aJob(), actions: ['writeStatus', 'createPod work-'] },
  {
    fact: 'creates a pod for each free index',
    job: aJob(indexed),
    owned: [aJobPod('b', 'Running', { index: 1 })],
    actions: ['writeStatus', 'createPod work-0-', 'createPod work-2-'],
  },
  {
    fact: 'waits while the watch may not show its own writes',
    job: aJob(),
    changes: { heldUntil: later(5) },
    actions: [],
  },
  {
    fact: 'notes a pod that has succeeded, then releases it',
    job: aJob(),
    owned: [aJobPod('a', 'Succeeded')],
    actions: ['writeStatus', 'releasePod a'],
  },
  {
    fact: 'is complete when the last pod is counted',
    job: aJob({}, { uncountedTerminatedPods: { succeeded: ['a'] } }),
    owned: [untracked(aJobPod('a', 'Succeeded'))],
    actions: ['writeStatus', 'reportEnd Completed'],
  },
  {
    fact: 'waits after a failure',
    job: aJob(),
    owned: [aJobPod('a', 'Failed', { exitCode: 1 })],
    actions: ['writeStatus', 'releasePod a'],
  },
  {
    fact: 'tries again when the wait is over',
    job: aJob(),
    owned: [aJobPod('a', 'Failed', { exitCode: 1 })],
    changes: { now: later(5_000) },
    actions: ['writeStatus', 'releasePod a', 'createPod work-'],
  },
  {
    fact: 'ends when a pod meets a rule that fails the job',
    job: aJob({ parallelism: 2, completions: 2, podFailurePolicy: failsOn42 }),
    owned: [aJobPod('a', 'Failed', { exitCode: 42 }), aJobPod('b', 'Running')],
    actions: ['writeStatus', 'releasePod a', 'deletePod b'],
  },
  {
    fact: 'releases a failure that the policy ignores without counting it',
    job: aJob({ podFailurePolicy: ignoresAll }),
    owned: [aJobPod('a', 'Failed', { exitCode: 1 })],
    actions: ['writeStatus', 'releasePod a', 'createPod work-'],
  },
  {
    fact: 'deletes its active pods while it is suspended',
    job: aJob({ suspend: true }),
    owned: [aJobPod('a', 'Running')],
    actions: ['writeStatus', 'deletePod a'],
  },
  {
    fact: 'deletes pods beyond its parallelism',
    job: aJob({ completions: 5, parallelism: 1 }),
    owned: [aJobPod('a', 'Running'), aJobPod('b', 'Running')],
    actions: ['writeStatus', 'deletePod b'],
  },
  {
    fact: 'is deleted when its time to live is over',
    job: aJob(
      { ttlSecondsAfterFinished: 1 },
      { ...finished('Complete'), ready: 0, terminating: 0, uncountedTerminatedPods: {} },
    ),
    actions: ['deleteJob'],
  },
  {
    fact: 'that is gone holds no pod',
    job: undefined,
    owned: [aJobPod('b', 'Running'), aJobPod('a', 'Running'), untracked(aJobPod('c', 'Running'))],
    actions: ['releasePod a', 'releasePod b'],
  },
  {
    fact: 'that is being deleted holds its pods until they are deleted, too',
    job: { ...aJob(), metadata: { ...aJob().metadata, deletionTimestamp: startTime } },
    owned: [aJobPod('a', 'Running'), deleted(aJobPod('b', 'Running'))],
    actions: ['releasePod b'],
  },
];

for (const { fact, job, owned = [], changes = {}, actions } of cases) {
  test(`a Job ${fact}`, () => {
    expect(planFor(job, owned, changes).actions.map(showAction)).toEqual(actions);
  });
}

for (const { fact, job, owned, recheckAt } of [
  {
    fact: 'the wait after a failure',
    job: aJob(),
    owned: [aJobPod('a', 'Failed', { exitCode: 1 })],
    recheckAt: later(5_000),
  },
  {
    fact: 'its deadline, before the wait',
    job: aJob({ activeDeadlineSeconds: 62 }),
    owned: [aJobPod('a', 'Failed', { exitCode: 1 })],
    recheckAt: later(2_000),
  },
  {
    fact: 'its time to live',
    job: aJob({ ttlSecondsAfterFinished: 60 }, finished('Failed')),
    owned: [],
    recheckAt: later(58_000),
  },
  { fact: 'nothing when all pods run', job: aJob(), owned: [aJobPod('a', 'Running')], recheckAt: undefined },
]) {
  test(`a Job is due again for ${fact}`, () => {
    expect(planFor(job, owned).recheckAt).toBe(recheckAt);
  });
}

test('a job that meets its deadline fails, with the reason in an event when its pods are gone', () => {
  const job = aJob({ activeDeadlineSeconds: 30 });
  const [write, ...others] = planFor(job, []).actions;
  expect(write).toMatchObject({
    status: { conditions: [{ type: 'FailureTarget' }, { type: 'Failed', reason: 'DeadlineExceeded' }] },
  });
  expect(others.map(showAction)).toEqual(['reportEnd DeadlineExceeded']);
});
