import { fromTimestamp, hours, instant, minutes, type NodeRollout, type NodeRolloutStatus } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { buildEvidenceRecord, nextPublication, type RecordQuestion } from './evidence-record.ts';
import { reportPromotion } from './held-images.ts';
import type { RolloutNode } from '../snapshot.ts';

const variant = 'AL2023/amd64/none';
const source = 'EC2NodeClass/default';
const start = fromTimestamp('2026-06-01T00:00:00Z');
const imageOf = (release: string) => ({ source, variant, image: `ami-${release}`, release });

const rolloutTo = (number: number, release: string, status: NodeRolloutStatus): NodeRollout => ({
  metadata: { name: `p-${number}` },
  spec: {
    policy: 'p',
    number,
    cause: 'NewRelease',
    from: [imageOf(`v${number - 1}`)],
    to: [imageOf(release)],
    kubernetesVersion: '1.31',
    members: 3,
  },
  status,
});
const complete: NodeRolloutStatus = { state: 'Complete', endedAt: '2026-06-01T00:00:00Z' };
const failure = { node: 'n', variant, signal: 'registration', evidence: '', at: '2026-06-01T00:00:00Z' };
const halt = { at: '2026-06-01T01:00:00Z', reason: 'FailureBudgetExceeded' as const, message: '', rules: [] };
const halted: NodeRolloutStatus = { state: 'Halted', halted: { ...halt, variants: [variant] }, failures: [failure] };
const soaking: NodeRolloutStatus = {
  state: 'Soaking',
  waves: [{ name: 'canary', seats: 1, taken: 1, healthy: 1, failed: 0, startedAt: '2026-06-01T00:00:00Z' }],
};
const nodeOn = (release: string, startedAt = start) => ({
  variant,
  image: `ami-${release}`,
  initializedAt: startedAt,
  pods: 4,
});
const aRolloutNode: RolloutNode = {
  name: 'node-1',
  object: 'NodePool/default',
  variant,
  image: 'ami-v1',
  labels: {},
  zone: 'a',
  createdAt: start,
  ready: true,
  readySince: start,
  troubles: [],
  pods: 1,
  leaving: false,
};
const record = (more: Partial<RecordQuestion>) =>
  buildEvidenceRecord({
    cluster: 'staging',
    policy: 'p',
    rollouts: [],
    nodes: [],
    before: undefined,
    promotion: undefined,
    upstream: [],
    now: instant(start + hours(2)),
    ...more,
  });

test('a record has what is complete and what has halted, and nothing that is under way', () => {
  const rollouts = [rolloutTo(1, 'v1', complete), rolloutTo(2, 'v2', halted), rolloutTo(3, 'v3', soaking)];
  const nodes = [nodeOn('v1'), nodeOn('v1', instant(start + hours(1))), nodeOn('v0')];
  expect(record({ rollouts, nodes })).toEqual({
    cluster: 'staging',
    policy: 'p',
    at: '2026-06-01T02:00:00Z',
    releases: [
      { variant, release: 'v2', completedAt: halt.at, nodeHours: 0, pods: 0, failures: 1, verdict: 'Halted' },
      { variant, release: 'v1', completedAt: complete.endedAt, nodeHours: 3, pods: 8, failures: 0, verdict: 'Proven' },
    ],
    running: {
      rollout: 'p-3',
      wave: 'canary',
      since: '2026-06-01T02:00:00Z',
      stage: 'Begun',
      stageSince: '2026-06-01T02:00:00Z',
    },
  });
});

test('node-hours go on from the record before, also when its nodes are gone', () => {
  const rollouts = [rolloutTo(1, 'v1', complete)];
  const before = record({ rollouts, nodes: [nodeOn('v1')] });
  const later = instant(start + hours(5));
  expect(record({ rollouts, nodes: [nodeOn('v1')], before, now: later }).releases[0]?.nodeHours).toBe(5);
  expect(record({ rollouts, before, now: later }).releases[0]?.nodeHours).toBe(2);
});

test('what is forgotten here stays in the record; what a person resumed loses its halt', () => {
  const before = record({ rollouts: [rolloutTo(1, 'v1', complete), rolloutTo(2, 'v2', halted)] });
  const resumed = rolloutTo(2, 'v2', { ...soaking, failures: [{ ...failure, forgiven: true }] });
  expect(record({ rollouts: [resumed], before }).releases.map(({ release }) => release)).toEqual(['v1']);
});

test('a wave is announced once, and is over when its rollout halts', () => {
  const first = record({ rollouts: [rolloutTo(3, 'v3', soaking)] });
  const now = instant(start + hours(3));
  expect(record({ rollouts: [rolloutTo(3, 'v3', soaking)], before: first, now }).running).toEqual(first.running);
  expect(
    record({ rollouts: [rolloutTo(3, 'v3', { ...soaking, ...halted })], before: first, now }).running,
  ).toBeUndefined();
});

test('a record is published when it says something new, and before an hour has passed', () => {
  const rollouts = [rolloutTo(1, 'v1', complete)];
  const before = record({ rollouts, nodes: [nodeOn('v1')] });
  const now = instant(start + hours(2) + minutes(5));
  const same = record({ rollouts, nodes: [nodeOn('v1')], before, now });
  expect(nextPublication(same, before, now) - start).toBe(hours(2) + minutes(15));
  expect(nextPublication(record({ rollouts: [rolloutTo(2, 'v2', soaking)], before, now }), before, now)).toBe(now);
});

const proven = (release: string, of = variant) => ({
  variant: of,
  release,
  completedAt: complete.endedAt ?? '',
  nodeHours: 1,
  pods: 0,
  failures: 0,
  verdict: 'Proven' as const,
});
const unused = 'AL2023/arm64/none';

/** What a policy tells of a record of staging, by type, while one node runs the usual variant. */
function conditionsOf(releases: readonly ReturnType<typeof proven>[], heldVariants: readonly string[]) {
  const record = { cluster: 'staging', policy: 'p', at: '2026-06-01T00:00:00Z', releases };
  const promotion = { publish: { ssmParameter: '/here' }, require: [{ from: { ssmParameter: '/staging' } }] };
  const held = heldVariants.map((each) => ({
    image: { ...imageOf('v2'), variant: each },
    kind: 'notProvenUpstream' as const,
    because: 'staging has 1 of 500 node-hours of v2',
  }));
  const seen = {
    policy: { metadata: { name: 'p' }, spec: { promotion } },
    wanted: [imageOf('v2'), { ...imageOf('v2'), variant: unused }],
    upstream: [{ requirement: 0, readAt: start, kind: 'read' as const, record }],
    nodes: [aRolloutNode],
    objects: [{ id: 'NodePool/default', labels: {}, source, moves: 'byNode' as const, specHash: '1' }],
  };
  const publication = { kind: 'failed' as const, place: 'SSM parameter /here', because: 'AccessDeniedException' };
  const status = reportPromotion({ status: { conditions: [] }, held, seen, publication, now: start });
  return status.conditions?.map(({ type, status: value, message }) => [type, value, message]);
}

const notPublished = ['EvidencePublished', 'False', 'SSM parameter /here: AccessDeniedException'];

test('a policy says what it waits for upstream, and of which release it has no image', () => {
  expect(conditionsOf([proven('v2'), proven('v3')], [variant])).toEqual([
    notPublished,
    [
      'WaitingUpstream',
      'True',
      'v2 (EC2NodeClass/default, AL2023/amd64/none): notProvenUpstream: staging has 1 of 500 node-hours of v2; ' +
        'staging has proven v3 for AL2023/amd64/none, which has no image here that may be launched yet',
    ],
  ]);
});

test('a variant that no node runs waits for nothing: what is held of it is told', () => {
  expect(conditionsOf([proven('v2'), proven('v3', unused)], [unused])).toEqual([
    notPublished,
    ['WaitingUpstream', 'False', 'held, and no node runs the variant: v2 for AL2023/arm64/none'],
  ]);
  expect(conditionsOf([proven('v2')], [])).toEqual([notPublished, ['WaitingUpstream', 'False', '']]);
});
