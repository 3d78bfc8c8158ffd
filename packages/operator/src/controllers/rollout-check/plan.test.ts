import { type BatchJob, fromTimestamp, type NodeRollout, type NodeRolloutStatus, seconds } from '@nodewright/apis';
import { checkJobName } from '@nodewright/engine';
import { expect, test } from 'vitest';
import type { ObservedChecks } from './observe.ts';
import { planCheckTurn } from './plan.ts';

const at = '2026-06-01T00:00:00Z';
const now = fromTimestamp(at);
const query = { name: 'rate', prometheus: { url: 'http://prometheus:9090', query: 'up', max: '1' } };
const join = { name: 'join', job: { template: {} } };
const member = { name: 'claim-1', node: 'node-1', hostname: 'node-1', nodePool: 'p', variant: 'v', image: 'ami-2' };

const aRollout = (checks?: NodeRolloutStatus['checks']): NodeRollout => ({
  metadata: { name: 'web-2', uid: 'uid-web-2' },
  spec: { policy: 'web', number: 2, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.30', members: 1 },
  ...(checks === undefined ? {} : { status: { state: 'Progressing', checks } }),
});
const running = {
  check: 'join',
  node: 'claim-1',
  state: 'Pending' as const,
  inARow: 0,
  detail: '',
  at,
  run: 1,
  isRunning: true,
};
const jobName = checkJobName({ rollout: aRollout(), check: join, member, run: 1 });
const aJob = (conditions: NonNullable<BatchJob['status']>['conditions'] = []): BatchJob => ({
  metadata: { name: jobName, namespace: 'default', uid: 'uid-job' },
  spec: {},
  status: { conditions },
});
const planOf = (seen: Partial<ObservedChecks>) =>
  planCheckTurn(
    {
      rollout: aRollout(),
      spec: { health: { checks: [query, join] } },
      members: [member],
      jobs: [],
      ownersOnNodes: new Map(),
      ...seen,
    },
    now,
  );
const onItsNode = new Map([['node-1', new Set(['uid-job'])]]);
const place = { check: 'join', node: 'claim-1' };
const failed = [{ type: 'Failed', status: 'True' as const, reason: 'DeadlineExceeded', message: 'm' }];

test('a query is asked and a Job run on every new node', () => {
  expect(planOf({}).actions).toEqual([
    { kind: 'ask', check: query },
    { kind: 'run', run: { check: join, member, run: 1 } },
  ]);
});

for (const { fact, noted = running, jobs = [], ownersOnNodes, actions } of [
  { fact: 'that is not there is made again', actions: [{ kind: 'makeJob', run: { check: join, member, run: 1 } }] },
  { fact: 'that runs without a pod yet is waited for', jobs: [aJob()], actions: [] },
  {
    fact: 'whose pod got onto the node is noted so',
    jobs: [aJob()],
    ownersOnNodes: onItsNode,
    actions: [{ kind: 'notePod', place }],
  },
  {
    fact: 'whose pod was noted is waited for',
    noted: { ...running, isPlaced: true },
    jobs: [aJob()],
    ownersOnNodes: onItsNode,
    actions: [],
  },
  {
    fact: 'that failed on its node is judged',
    jobs: [aJob(failed)],
    ownersOnNodes: onItsNode,
    actions: [
      {
        kind: 'judge',
        place,
        verdict: { state: 'Fails', detail: 'the Job failed: DeadlineExceeded: m' },
      },
    ],
  },
  {
    fact: 'whose pod was on another node says nothing of this one',
    jobs: [aJob(failed)],
    ownersOnNodes: new Map([['node-2', new Set(['uid-job'])]]),
    actions: [
      {
        kind: 'judge',
        place,
        verdict: {
          state: 'CannotBeAsked',
          detail: 'no pod of the Job got onto the node; the Job failed: DeadlineExceeded: m',
        },
      },
    ],
  },
])
  test(`a Job ${fact}`, () => {
    const seen = { rollout: aRollout([noted]), spec: { health: { checks: [join] } }, jobs };
    const plan = planOf({ ...seen, ...(ownersOnNodes && { ownersOnNodes }) });
    expect(plan.actions).toEqual(actions);
    expect(plan).toMatchObject({ remove: [], nextAt: now + seconds(15) });
  });

test('the Job of a check that has passed is taken away; one that failed stays', () => {
  const ended = { ...running, isRunning: false };
  const after = (state: 'Passes' | 'Fails') =>
    planOf({ rollout: aRollout([{ ...ended, state }]), jobs: [aJob()] }).remove.map(({ metadata }) => metadata.name);
  expect(after('Passes')).toEqual([jobName]);
  expect(after('Fails')).toEqual([]);
});
