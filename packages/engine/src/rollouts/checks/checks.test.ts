import {
  fromTimestamp,
  instant,
  type BatchJob,
  minutes,
  type NodeRollout,
  type NodeRolloutPolicySpec,
  type NodeRolloutStatus,
  type RolloutCheck,
} from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { CheckReading } from '../snapshot.ts';
import { buildCheckJob, checkJobName, judgeJob } from './check-jobs.ts';
import { readCheckResults, recordVerdict } from './check-results.ts';
import { planChecks } from './due-checks.ts';
import { judgePrometheusAnswer, judgeWebhookAnswer, prometheusUrl } from './query-verdicts.ts';

const start = fromTimestamp('2026-06-01T00:00:00Z');
const rate = { url: 'http://prometheus:9090/base/', query: 'sum(rate(x[5m]))', max: '0.5' };
const vector = (...values: string[]) =>
  JSON.stringify({
    status: 'success',
    data: { resultType: 'vector', result: values.map((value) => ({ metric: {}, value: [1, value] })) },
  });

test('a query goes to the instant query API below the path of its server', () => {
  expect(prometheusUrl(rate)).toBe('http://prometheus:9090/base/api/v1/query?query=sum%28rate%28x%5B5m%5D%29%29');
});

for (const { fact, check = {}, status = 200, text, state, detail } of [
  { fact: 'at the bound passes', text: vector('0.5'), state: 'Passes', detail: '0.5, at most 0.5 allowed' },
  { fact: 'above the bound fails', text: vector('0.7'), state: 'Fails', detail: '0.7, at most 0.5 allowed' },
  {
    fact: 'below the lower bound fails',
    check: { min: '0.1' },
    text: vector('0.05'),
    state: 'Fails',
    detail: '0.05, at least 0.1 and at most 0.5 allowed',
  },
  {
    fact: 'that is a scalar counts',
    text: '{"status":"success","data":{"resultType":"scalar","result":[1,"0.25"]}}',
    state: 'Passes',
    detail: '0.25, at most 0.5 allowed',
  },
  { fact: 'of infinity fails', text: vector('+Inf'), state: 'Fails', detail: '+Inf, at most 0.5 allowed' },
  {
    fact: 'of no number says nothing',
    text: vector('NaN'),
    state: 'CannotBeAsked',
    detail: 'the query has the value NaN',
  },
  {
    fact: 'of nothing says nothing',
    text: vector(),
    state: 'CannotBeAsked',
    detail: 'the query has 0 values, not one',
  },
  {
    fact: 'of two series says nothing',
    text: vector('0', '1'),
    state: 'CannotBeAsked',
    detail: 'the query has 2 values, not one',
  },
  {
    fact: 'that cannot be read says why',
    status: 400,
    text: '{"status":"error","error":"parse error: unexpected end"}',
    state: 'CannotBeAsked',
    detail: 'Prometheus answers 400: parse error: unexpected end',
  },
  { fact: 'of a page is none', text: '<html>', state: 'CannotBeAsked', detail: 'Prometheus answers 200: <html>' },
] as const) {
  test(`an answer of Prometheus ${fact}`, () => {
    expect(judgePrometheusAnswer({ ...rate, ...check }, { kind: 'answered', status, text })).toEqual({ state, detail });
  });
}

for (const [status, text, state, detail] of [
  [200, '', 'Passes', 'the webhook answers 200'],
  [204, '', 'Passes', 'the webhook answers 204'],
  [200, '{"pass":true,"message":"12 of 12"}', 'Passes', 'the webhook answers 200: 12 of 12'],
  [200, '{"pass":false,"message":"3 of 12 fail"}', 'Fails', 'the webhook answers 200: 3 of 12 fail'],
  [422, 'no', 'Fails', 'the webhook answers 422: no'],
  [404, '', 'CannotBeAsked', 'the webhook answers 404'],
  [302, '', 'CannotBeAsked', 'the webhook answers 302'],
  [503, 'later', 'CannotBeAsked', 'the webhook answers 503: later'],
] as const) {
  test(`a webhook that answers ${status} ${text}: ${state}`, () => {
    expect(judgeWebhookAnswer({ kind: 'answered', status, text })).toEqual({ state, detail });
  });
}

test('a webhook that is away says nothing', () => {
  const outcome = { kind: 'unreachable', because: 'https://x: no answer within 10 s' } as const;
  expect(judgeWebhookAnswer(outcome)).toEqual({ state: 'CannotBeAsked', detail: outcome.because });
});

const join: RolloutCheck = {
  name: 'join',
  job: {
    namespace: 'checks',
    template: {
      metadata: { labels: { team: 'a' } },
      spec: { backoffLimit: 2, template: { spec: { nodeSelector: { disk: 'ssd' }, containers: [{ name: 'c' }] } } },
    },
  },
};
const member = {
  name: 'default-abc',
  node: 'ip-10-0-0-1.ec2.internal',
  hostname: 'ip-10-0-0-1',
  nodePool: 'default',
  variant: 'AL2023/amd64/none',
  image: 'ami-2',
};
const rolloutWith = (status: NodeRolloutStatus = {}): NodeRollout => ({
  metadata: { name: 'production-3', uid: 'u' },
  spec: {
    policy: 'production',
    number: 3,
    cause: 'NewRelease',
    from: [],
    to: [],
    kubernetesVersion: '1.31',
    members: 1,
  },
  status: { startedAt: '2026-06-01T00:00:00Z', ...status },
});

test('the Job of a check goes to its node by the hostname, and the rest is the template', () => {
  const rollout = rolloutWith();
  const job = buildCheckJob({ rollout, check: join, member, run: 1 });
  expect(job.metadata).toMatchObject({
    namespace: 'checks',
    labels: { team: 'a', 'nodewright.dev/checked-rollout': 'production-3' },
    ownerReferences: [{ kind: 'NodeRollout', name: 'production-3' }],
  });
  expect(job.spec).toMatchObject({
    backoffLimit: 2,
    activeDeadlineSeconds: 600,
    template: {
      spec: {
        restartPolicy: 'Never',
        nodeSelector: { disk: 'ssd', 'kubernetes.io/hostname': 'ip-10-0-0-1' },
        containers: [{ name: 'c' }],
      },
    },
  });
});

test('the name of a Job tells run and node apart, is the same every time, and fits', () => {
  const place = { rollout: rolloutWith(), check: { ...join, name: 'x'.repeat(63) }, member, run: 12 };
  const others = [
    { ...place, run: 13 },
    { ...place, member: { ...member, name: 'default-xyz' } },
  ];
  const names = [place, ...others].map(checkJobName);
  expect(new Set(names).size).toBe(3);
  expect(names[0]).toBe(checkJobName(place));
  for (const name of names) expect(name).toMatch(/^[a-z0-9][a-z0-9-]{0,61}[a-z0-9]$/);
});

const ended = (type: string, reason = '', message = ''): BatchJob => ({
  metadata: { name: 'j' },
  spec: {},
  status: { conditions: [{ type, status: 'True', reason, message, lastTransitionTime: '2026-06-01T00:00:00Z' }] },
});

test('a Job passes, fails, or says nothing when its pod never got onto the node', () => {
  const late = ended('Failed', 'DeadlineExceeded', 'Job was active longer than specified deadline');
  expect(judgeJob({ metadata: { name: 'j' }, spec: {} }, false)).toBeUndefined();
  expect(judgeJob(ended('Complete'), true)?.state).toBe('Passes');
  expect(judgeJob(late, true)).toMatchObject({ state: 'Fails', detail: expect.stringContaining('DeadlineExceeded') });
  expect(judgeJob(late, false)?.state).toBe('CannotBeAsked');
  expect(judgeJob(ended('Failed', 'BackoffLimitExceeded'), false)?.state).toBe('Fails');
});

const spec: NodeRolloutPolicySpec = {
  health: {
    checks: [
      { name: 'rate', interval: '5m', prometheus: rate },
      { ...join, failures: 2 },
    ],
  },
};
const tasksOf = (status: NodeRolloutStatus, minute: number, members = [member]) => {
  const { tasks, nextAt } = planChecks({ spec, rollout: rolloutWith(status), members, now: at(minute) });
  return [tasks.map(({ kind, check }) => `${kind} ${check.name}`), nextAt && (nextAt - start) / 1_000];
};
const at = (minute: number) => instant(start + minutes(minute));
const joinPlace = { check: 'join', node: member.name };

test('queries are asked at every interval, a Job once on each new node and again after a failure', () => {
  expect(tasksOf({}, 0, [])).toEqual([[], undefined]);
  expect(tasksOf({}, 0)).toEqual([['ask rate', 'run join'], 15]);
  const passes = { state: 'Passes', detail: '' } as const;
  const fails = { state: 'Fails', detail: '' } as const;
  const asked = recordVerdict({}, { check: 'rate' }, { verdict: passes, now: at(0) });
  expect(tasksOf(recordVerdict(asked, joinPlace, { verdict: passes, now: at(0) }), 1)).toEqual([[], 300]);
  const failed = recordVerdict(asked, joinPlace, { verdict: fails, now: at(0) });
  expect(tasksOf(failed, 0.5)).toEqual([[], 60]);
  expect(tasksOf(failed, 1)).toEqual([['run join'], 75]);
  expect(tasksOf(recordVerdict(failed, joinPlace, { verdict: fails, now: at(1) }), 9)).toEqual([['ask rate'], 840]);
});

test('nothing is asked of a rollout that has ended, halted or leads back, nor for a policy that only reports', () => {
  const halted = { at: '2026-06-01T00:00:00Z', reason: 'Requested' as const, message: '', variants: [], rules: [] };
  const plain = rolloutWith();
  const asks = (rollout: NodeRollout, more: NodeRolloutPolicySpec = {}) =>
    planChecks({ spec: { ...spec, ...more }, rollout, members: [member], now: start }).tasks.length;
  expect(asks(plain)).toBe(2);
  expect(asks(rolloutWith({ halted }))).toBe(0);
  expect(asks(rolloutWith({ endedAt: '2026-06-01T00:00:00Z' }))).toBe(0);
  expect(asks({ ...plain, spec: { ...plain.spec, cause: 'Rollback' } })).toBe(0);
  expect(asks(plain, { mode: 'Report' })).toBe(0);
});

test('answers in a row are counted, and the count begins anew after a person has forgiven the failure', () => {
  const fails = { state: 'Fails', detail: '0.7' } as const;
  const place = { check: 'rate' };
  let status = recordVerdict({}, place, { verdict: fails, now: at(0) });
  status = recordVerdict(status, place, { verdict: fails, now: at(1) });
  expect(status.checks).toMatchObject([{ check: 'rate', state: 'Fails', inARow: 2, detail: '0.7' }]);
  const halt = { at: '2026-06-01T00:01:00Z', reason: 'CheckFailed' as const, message: '', variants: [], rules: [] };
  const halted = { ...status, halted: halt };
  expect(recordVerdict(halted, place, { verdict: fails, now: at(2) })).toBe(halted);
  const failure = { node: '*', variant: 'v', signal: 'checks', evidence: '', at: '2026-06-01T00:01:00Z' };
  const forgiven = { ...status, failures: [{ ...failure, forgiven: true }] };
  expect(recordVerdict(forgiven, place, { verdict: fails, now: at(2) }).checks).toMatchObject([{ inARow: 1 }]);
  expect(readCheckResults(status, new Map())).toEqual([]);
});

const fast: NodeRolloutPolicySpec = { preset: 'fast', health: { checks: [{ name: 'rate', prometheus: rate }] } };

/** A fleet whose first new node is there, and what the check says from then on. */
function fleetWithCheck(reading: Pick<CheckReading, 'state' | 'inARow'> & Partial<CheckReading>): SimulatedFleet {
  const fleet = new SimulatedFleet({ random: seededRandom('checks'), policy: fast });
  fleet.reconcile();
  fleet.publish('v2');
  liveOn(fleet, 30, []);
  liveOn(fleet, 120, [{ check: 'rate', detail: '0.7, at most 0.5 allowed', ...reading }]);
  return fleet;
}

function liveOn(fleet: SimulatedFleet, length: number, readings: readonly CheckReading[]): void {
  for (let passed = 0; passed < length; passed += 5) {
    fleet.advanceTime(minutes(5));
    fleet.checks = readings.map((reading) => ({ at: fleet.now, ...reading }));
    fleet.reconcile();
  }
}

const lastStatus = (fleet: SimulatedFleet) => fleet.rollouts.at(-1)?.status;

test('a check that passes lets the wave end', () => {
  expect(lastStatus(fleetWithCheck({ state: 'passes', inARow: 1 }))?.wave).toBe('all');
});

test('a check that was not asked since the wave began keeps it from ending', () => {
  expect(lastStatus(fleetWithCheck({ state: 'passes', inARow: 1, at: start }))?.wave).toBe('canary');
});

test('a check that fails often enough halts the rollout with its numbers, and a resume forgives it', () => {
  expect(lastStatus(fleetWithCheck({ state: 'fails', inARow: 2 }))?.halted).toBeUndefined();
  const fleet = fleetWithCheck({ state: 'fails', inARow: 3 });
  expect(lastStatus(fleet)?.halted).toMatchObject({
    reason: 'CheckFailed',
    message: 'check rate failed 3 times in a row: 0.7, at most 0.5 allowed',
  });
  expect(fleet.rules).toHaveLength(1);
  const asked = fromTimestamp(lastStatus(fleet)?.halted?.at ?? '');
  fleet.requests.push({ rollout: 'test-1', kind: 'resume', value: 'known', by: 'person', at: fleet.now });
  liveOn(fleet, 10, [{ check: 'rate', state: 'fails', inARow: 3, detail: '', at: asked }]);
  expect(lastStatus(fleet)?.halted).toBeUndefined();
  liveOn(fleet, 10, [{ check: 'rate', state: 'fails', inARow: 3, detail: 'again' }]);
  expect(lastStatus(fleet)?.halted?.message).toContain('again');
});

test('a check that cannot be asked holds the wave, does not halt it, and a person leads on', () => {
  const fleet = fleetWithCheck({ state: 'cannotBeAsked', inARow: 3, detail: 'connection refused' });
  expect(lastStatus(fleet)).toMatchObject({ wave: 'canary', state: 'WaitingForApproval' });
  expect(lastStatus(fleet)?.halted).toBeUndefined();
  const waits = lastStatus(fleet)?.conditions?.find(({ type }) => type === 'WaitingForApproval')?.message;
  expect(waits).toContain('check rate cannot be asked: connection refused');
  const value = 'canary=prometheus is away';
  fleet.requests.push({ rollout: 'test-1', kind: 'skip-soak', value, by: 'person', at: fleet.now });
  liveOn(fleet, 15, [{ check: 'rate', state: 'cannotBeAsked', inARow: 4, detail: '' }]);
  expect(lastStatus(fleet)?.wave).toBe('all');
});
