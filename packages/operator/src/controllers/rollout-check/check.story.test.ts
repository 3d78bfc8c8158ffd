import {
  type BatchJob,
  batchJobs,
  minutes,
  type NodeRolloutPolicySpec,
  type RolloutCheck,
  seconds,
} from '@nodewright/apis';
import { aRolloutFleet, passesWithin, quickWaves, type RolloutFleet } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const prometheus = { url: 'http://prometheus:9090', query: 'up', max: '0.5' };
const withChecks = (checks: readonly RolloutCheck[]): NodeRolloutPolicySpec => ({
  ...quickWaves,
  health: { checks },
});
const lastStatus = async (fleet: RolloutFleet) => (await fleet.rollouts()).at(-1)?.status ?? {};
const reaches = (fleet: RolloutFleet, state: string, limit = 60): Promise<boolean> =>
  passesWithin(fleet, limit, async () => (await lastStatus(fleet)).state === state);
const answerOfPrometheus = (value: string): string =>
  JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [{ metric: {}, value: [0, value] }] } });

test('a query that passes lets a rollout through, and one that fails three times halts it with the number', async () => {
  const fleet = await aRolloutFleet(2, withChecks([{ name: 'rate', prometheus }]));
  fleet.web.serve('http://prometheus:9090/api/v1/query?query=up', 200, answerOfPrometheus('0.25'));
  fleet.publish();
  expect(await reaches(fleet, 'Soaking')).toBe(true);
  await fleet.advance(minutes(2));
  expect((await lastStatus(fleet)).checks).toMatchObject([{ check: 'rate', state: 'Passes' }]);
  fleet.web.serve('http://prometheus:9090/api/v1/query?query=up', 200, answerOfPrometheus('0.7'));
  expect(await reaches(fleet, 'Halted', 5)).toBe(true);
  expect((await lastStatus(fleet)).halted).toMatchObject({
    reason: 'CheckFailed',
    message: 'check rate failed 3 times in a row: 0.7, at most 0.5 allowed',
  });
  expect((await fleet.events('CheckFails')).map(({ message }) => message)).toEqual([
    'check rate fails: 0.7, at most 0.5 allowed',
  ]);
  const asked = fleet.web.requests.length;
  await fleet.advance(minutes(5));
  expect(fleet.web.requests).toHaveLength(asked);
  await fleet.stop();
});

test('a webhook is posted the new nodes; while it is away the wave waits and does not halt', async () => {
  const url = 'https://checks.example/nodes';
  const fleet = await aRolloutFleet(1, withChecks([{ name: 'smoke', webhook: { url, timeout: '5s' }, failures: 2 }]));
  fleet.publish();
  expect(await reaches(fleet, 'WaitingForApproval')).toBe(true);
  expect((await fleet.events('CheckCannotBeAsked'))[0]?.message).toContain('connection refused');
  const claim = (await fleet.claims()).at(-1);
  expect(fleet.web.posted(url)[0]).toMatchObject({
    cluster: 'testing',
    check: 'smoke',
    rollout: 'production-1',
    members: [{ nodeClaim: claim?.metadata.name, node: claim?.status?.nodeName, image: 'ami-20' }],
  });
  expect(fleet.web.requests[0]?.timeoutMs).toBe(seconds(5));
  fleet.web.serve(url, 200);
  expect(await reaches(fleet, 'Complete')).toBe(true);
  await fleet.stop();
});

const join = {
  name: 'join',
  job: { template: { spec: { template: { spec: { containers: [{ name: 'c', image: 'busybox' }] } } } } },
  failures: 2,
};
const jobsOf = async (fleet: RolloutFleet): Promise<readonly BatchJob[]> =>
  (await fleet.apply(fleet.client.list(batchJobs, { namespace: 'default' }))).items;

/** What a Job controller would write. */
async function endJobs(fleet: RolloutFleet, type: 'Complete' | 'Failed'): Promise<void> {
  const reason = type === 'Failed' ? 'BackoffLimitExceeded' : 'Completed';
  for (const { metadata, status } of await jobsOf(fleet)) {
    if (status?.conditions !== undefined) continue;
    const interim = type === 'Failed' ? 'FailureTarget' : 'SuccessCriteriaMet';
    const at = metadata.creationTimestamp ?? '';
    const condition = { status: 'True', reason, message: 'm', lastTransitionTime: at, lastProbeTime: at };
    const ends = type === 'Complete' ? { succeeded: 1, completionTime: at } : { failed: 1 };
    const conditions = [
      { ...condition, type: interim },
      { ...condition, type },
    ];
    const patch = { status: { startTime: at, conditions, ...ends } };
    const key = { name: metadata.name, namespace: 'default' };
    await fleet.apply(fleet.client.patch(batchJobs, key, { type: 'merge', patch }, { subresource: 'status' }));
  }
}

test('a Job runs once on every new node, and is taken away when it has passed', async () => {
  const fleet = await aRolloutFleet(2, withChecks([join]));
  const seen = new Set<string>();
  fleet.publish();
  const isOver = await passesWithin(fleet, 60, async () => {
    for (const { metadata } of await jobsOf(fleet)) seen.add(metadata.name);
    await endJobs(fleet, 'Complete');
    return (await lastStatus(fleet)).state === 'Complete';
  });
  expect([isOver, seen.size]).toEqual([true, 2]);
  await fleet.advance(minutes(2));
  expect(await jobsOf(fleet)).toEqual([]);
  await fleet.stop();
});

test('a Job that fails runs again; when it has failed often enough the node has, and the last Job stays', async () => {
  const fleet = await aRolloutFleet(2, withChecks([join]));
  fleet.publish();
  expect(await passesWithin(fleet, 20, async () => (await jobsOf(fleet)).length === 1)).toBe(true);
  expect((await jobsOf(fleet))[0]?.spec).toMatchObject({
    template: { spec: { nodeSelector: { 'kubernetes.io/hostname': expect.any(String) } } },
  });
  await endJobs(fleet, 'Failed');
  await fleet.advance(minutes(2));
  await endJobs(fleet, 'Failed');
  expect(await reaches(fleet, 'Halted', 5)).toBe(true);
  const { halted, failures } = await lastStatus(fleet);
  expect(halted?.message).toContain('check join failed 2 times in a row: the Job failed: BackoffLimitExceeded: m');
  expect(failures).toMatchObject([{ signal: 'checks' }]);
  expect((await jobsOf(fleet)).map(({ metadata }) => metadata.name)).toEqual([expect.stringMatching(/-2$/)]);
  await fleet.stop();
});

for (const afterWrite of [3, 4]) {
  test(`a controller that dies after its write number ${afterWrite} since a node joined makes no second Job`, async () => {
    const fleet = await aRolloutFleet(1, withChecks([join]));
    fleet.publish();
    const hasMember = async () => (await fleet.claims()).some(({ status }) => status?.imageID === 'ami-20');
    expect(await passesWithin(fleet, 20, hasMember)).toBe(true);
    await fleet.crash({ afterWrite });
    await fleet.advance(minutes(4));
    expect(await jobsOf(fleet)).toHaveLength(1);
    expect((await lastStatus(fleet)).checks).toMatchObject([{ check: 'join', run: 1, isRunning: true }]);
    await fleet.stop();
  });
}

test('a template that the API server refuses is told, and the wave waits', async () => {
  const template = { spec: { template: { spec: { containers: [] } } } };
  const fleet = await aRolloutFleet(1, withChecks([{ name: 'join', job: { template }, failures: 1 }]));
  fleet.publish();
  expect(await reaches(fleet, 'WaitingForApproval')).toBe(true);
  expect((await fleet.events('CheckCannotBeAsked'))[0]?.message).toContain('the Job cannot be made');
  await fleet.stop();
});
