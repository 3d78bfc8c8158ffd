import { byText, events, type Pod, pods } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { SmallCluster } from '@nodewright/testkit/worlds';
import { type Job, jobs, type JobSpec } from './job.ts';

const key = { name: 'work', namespace: 'default' };

const aJob = (spec: Partial<JobSpec>, command: string, restartPolicy = 'Never'): Job => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { ...key },
  spec: {
    template: {
      spec: { restartPolicy, containers: [{ name: 'main', image: 'busybox', command: ['sh', '-c', command] }] },
    },
    ...spec,
  },
});

async function after(seconds: number, job: Job): Promise<SmallCluster> {
  const cluster = new SmallCluster();
  cluster.launch();
  await cluster.after(120);
  await cluster.create(jobs, job);
  await cluster.after(seconds);
  return cluster;
}

const statusOf = async (cluster: SmallCluster) => (await cluster.get(jobs, 'work', 'default'))?.status;
const conditions = async (cluster: SmallCluster) =>
  (await statusOf(cluster))?.conditions
    ?.filter(({ status }) => status === 'True')
    .map(({ type, reason }) => `${type} ${reason}`);
const phases = async (cluster: SmallCluster): Promise<readonly string[]> =>
  (await cluster.list(pods, 'default')).map(({ status }: Pod) => status?.phase ?? '').toSorted(byText);

test('a job is complete when its pod has done its work, and not before', async () => {
  const cluster = await after(30, aJob({}, 'sleep 60'));
  expect(await statusOf(cluster)).toMatchObject({ active: 1, ready: 1 });
  await cluster.after(60);
  expect(await statusOf(cluster)).toMatchObject({ succeeded: 1, uncountedTerminatedPods: {} });
  expect((await statusOf(cluster))?.active).toBeUndefined();
  expect(await conditions(cluster)).toEqual(['SuccessCriteriaMet CompletionsReached', 'Complete CompletionsReached']);
  expect(await phases(cluster)).toEqual(['Succeeded']);
  const [pod] = await cluster.list(pods, 'default');
  expect(pod?.metadata.finalizers ?? []).toEqual([]);
  const told = (await cluster.list(events, 'default')).map(({ reason }) => reason);
  expect(told).toContain('Completed');
  expect(cluster.complaints).toEqual([]);
});

test('as many pods run at once as parallelism says, until completions are reached', async () => {
  const cluster = await after(10, aJob({ completions: 5, parallelism: 2 }, 'sleep 30'));
  expect(await statusOf(cluster)).toMatchObject({ active: 2 });
  await cluster.after(300);
  expect(await statusOf(cluster)).toMatchObject({ succeeded: 5 });
  expect(await phases(cluster)).toEqual(Array.from({ length: 5 }, () => 'Succeeded'));
});

test('an indexed job works off each index once', async () => {
  const cluster = await after(200, aJob({ completions: 3, parallelism: 3, completionMode: 'Indexed' }, 'sleep 10'));
  expect(await statusOf(cluster)).toMatchObject({ succeeded: 3, completedIndexes: '0-2' });
  const names = (await cluster.list(pods, 'default')).map(({ metadata }) => metadata.name.slice(0, 7));
  expect(new Set(names)).toEqual(new Set(['work-0-', 'work-1-', 'work-2-']));
});

test('a job whose pods fail tries again ever later, and fails beyond its limit', async () => {
  const cluster = await after(12, aJob({ backoffLimit: 2 }, 'sleep 5; exit 3'));
  expect(await phases(cluster)).toEqual(['Failed']);
  await cluster.after(120);
  expect(await phases(cluster)).toEqual(['Failed', 'Failed', 'Failed']);
  expect(await statusOf(cluster)).toMatchObject({ failed: 3 });
  expect(await conditions(cluster)).toEqual(['FailureTarget BackoffLimitExceeded', 'Failed BackoffLimitExceeded']);
});

test('a container that fails is started again in its pod when the pod says OnFailure', async () => {
  const cluster = await after(60, aJob({ backoffLimit: 10 }, 'sleep 5; exit 3', 'OnFailure'));
  const [pod] = await cluster.list(pods, 'default');
  expect(pod?.status?.containerStatuses?.[0]?.restartCount).toBeGreaterThanOrEqual(2);
  expect(pod?.status?.containerStatuses?.[0]?.lastState?.terminated).toMatchObject({ exitCode: 3, reason: 'Error' });
});

test('an evicted pod is counted as failed unless the policy ignores it; either way the work is done', async () => {
  const ignore = {
    podFailurePolicy: { rules: [{ action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] }] },
  } as const;
  for (const [spec, failed] of [
    [{}, 1],
    [ignore, undefined],
  ] as const) {
    const cluster = await after(20, aJob(spec, 'sleep 60'));
    const [pod] = await cluster.list(pods, 'default');
    await cluster.do((client) => client.evict({ namespace: 'default', name: pod?.metadata.name ?? '' }));
    await cluster.after(200);
    expect(await statusOf(cluster)).toMatchObject({ succeeded: 1 });
    expect((await statusOf(cluster))?.failed).toBe(failed);
  }
});

test('a job that takes too long fails, and its pods go', async () => {
  const cluster = await after(60, aJob({ activeDeadlineSeconds: 30 }, 'sleep infinity'));
  expect(await conditions(cluster)).toEqual(['FailureTarget DeadlineExceeded', 'Failed DeadlineExceeded']);
  expect(await phases(cluster)).toEqual([]);
});

test('a suspended job has no pods until it goes on', async () => {
  const cluster = await after(20, aJob({ suspend: true }, 'sleep 5'));
  expect(await phases(cluster)).toEqual([]);
  expect(await conditions(cluster)).toEqual(['Suspended JobSuspended']);
  await cluster.do((client) => client.patch(jobs, key, { type: 'merge', patch: { spec: { suspend: false } } }));
  await cluster.after(30);
  expect(await statusOf(cluster)).toMatchObject({ succeeded: 1 });
});

test('a finished job goes after its time to live, with its pods', async () => {
  const cluster = await after(60, aJob({ ttlSecondsAfterFinished: 100 }, 'sleep 5'));
  expect(await cluster.list(jobs, 'default')).toHaveLength(1);
  await cluster.after(100);
  expect(await cluster.list(jobs, 'default')).toEqual([]);
  expect(await phases(cluster)).toEqual([]);
});

test('a job that is deleted at work leaves no pod held behind', async () => {
  const cluster = await after(20, aJob({}, 'sleep 600'));
  await cluster.do((client) => client.delete(jobs, key, { propagationPolicy: 'Background' }));
  await cluster.after(60);
  expect(await phases(cluster)).toEqual([]);
});

test('kubelets and controllers that restart count no pod twice', async () => {
  const cluster = await after(5, aJob({ completions: 4, parallelism: 2 }, 'sleep 20'));
  for (let turn = 0; turn < 10; turn += 1) {
    cluster.restart();
    await cluster.after(13);
  }
  await cluster.after(60);
  expect(await statusOf(cluster)).toMatchObject({ succeeded: 4 });
  expect(await phases(cluster)).toHaveLength(4);
});
