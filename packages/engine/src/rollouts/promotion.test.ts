import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { type EvidenceRecord, judgePromotion, type ProvenRelease, type UpstreamReading } from './promotion.ts';
import { type AnnouncedWave, findNeighbourHold } from './neighbours.ts';

const now = fromTimestamp('2026-06-10T00:00:00Z');
const variant = 'AL2023/amd64/none';
const place = { ssmParameter: '/evidence/staging' };
const promotion = {
  require: [{ from: place, completedFor: '48h', minimumNodeHours: 500 }],
  notTogetherWith: ['staging'],
};
const proven: ProvenRelease = {
  variant,
  release: 'v2',
  completedAt: '2026-06-07T00:00:00Z',
  nodeHours: 600,
  pods: 40,
  failures: 0,
  verdict: 'Proven',
};
const record = (releases: readonly ProvenRelease[], more: Partial<EvidenceRecord> = {}): UpstreamReading => ({
  requirement: 0,
  readAt: now,
  kind: 'read',
  record: { cluster: 'staging', policy: 'p', at: '2026-06-09T23:30:00Z', releases, ...more },
});
const judge = (upstream: readonly UpstreamReading[], release = 'v2') =>
  judgePromotion({ variant, release }, { promotion, upstream, now });

for (const { fact, upstream, kind } of [
  { fact: 'proven upstream for long enough is wanted', upstream: [record([proven])], kind: 'proven' },
  {
    fact: 'completed a moment ago waits',
    upstream: [record([{ ...proven, completedAt: '2026-06-09T00:00:00Z' }])],
    kind: 'notProvenUpstream',
  },
  {
    fact: 'with too few node-hours waits',
    upstream: [record([{ ...proven, nodeHours: 10 }])],
    kind: 'notProvenUpstream',
  },
  {
    fact: 'proven for another variant waits',
    upstream: [record([{ ...proven, variant: 'AL2023/arm64/none' }])],
    kind: 'notProvenUpstream',
  },
  {
    fact: 'that halted for another variant is blocked',
    upstream: [record([proven, { ...proven, variant: 'AL2023/arm64/none', verdict: 'Halted' }])],
    kind: 'haltedUpstream',
  },
  { fact: 'waits while nothing was read', upstream: [], kind: 'notProvenUpstream' },
  {
    fact: 'waits while the record cannot be read',
    upstream: [{ requirement: 0, readAt: now, kind: 'unreadable', message: 'AccessDenied' }],
    kind: 'notProvenUpstream',
  },
] as readonly { fact: string; upstream: UpstreamReading[]; kind: string }[]) {
  test(`a release ${fact}`, () => expect(judge(upstream).kind).toBe(kind));
}

test('a release is wanted at once where nothing is required', () => {
  expect(judgePromotion({ variant, release: 'v2' }, { promotion: undefined, upstream: [], now })).toEqual({
    kind: 'proven',
  });
});

const running = (since: string) => ({ rollout: 'p-1', wave: 'canary', since });
const holdOf = (
  upstream: readonly UpstreamReading[],
  { announced, approvedAt, publish }: { announced?: AnnouncedWave; approvedAt?: string; publish?: boolean } = {},
) =>
  findNeighbourHold({
    promotion: { ...promotion, ...(publish === true ? { publish: place } : {}) },
    upstream,
    now,
    rollout: 'p-1',
    wave: { name: 'canary', ...(approvedAt === undefined ? {} : { approvedAt }) },
    announced,
  });

test('the wave of a neighbour holds; one of which nothing is known for an hour needs a person', () => {
  const since = '2026-06-09T20:00:00Z';
  const stale = record([proven], { running: running(since), at: '2026-06-09T22:00:00Z' });
  expect(holdOf([record([proven])])).toBeUndefined();
  expect(holdOf([record([proven], { running: running(since) })])).toMatchObject({
    cluster: 'staging',
    needsPerson: false,
  });
  expect(holdOf([stale])).toMatchObject({ needsPerson: true });
  expect(holdOf([])).toMatchObject({ needsPerson: true });
});

test('a record that cannot be read now counts as it was read last', () => {
  const last = { cluster: 'staging', policy: 'p', at: '2026-06-09T23:30:00Z', releases: [] };
  const away = { requirement: 0, readAt: now, kind: 'unreadable' as const, message: 'away' };
  expect(holdOf([{ ...away, last }])).toBeUndefined();
  expect(holdOf([{ ...away, last: { ...last, running: running('2026-06-09T23:00:00Z') } }])).toMatchObject({
    needsPerson: false,
  });
});

test('a person decides about a stale record by approving the wave after it became stale', () => {
  const stale = record([proven], { running: running('2026-06-09T20:00:00Z'), at: '2026-06-09T22:00:00Z' });
  expect(holdOf([stale], { approvedAt: '2026-06-09T22:30:00Z' })).toMatchObject({ needsPerson: true });
  expect(holdOf([stale], { approvedAt: '2026-06-09T23:30:00Z' })).toBeUndefined();
  expect(holdOf([], { approvedAt: '2026-06-09T22:30:00Z' })).toBeUndefined();
});

test('a wave is announced first; of two the one that was announced first goes', () => {
  const early = '2026-06-09T23:50:00Z';
  const late = '2026-06-09T23:55:00Z';
  const own = (since: string, cluster = 'us') => ({ announced: { cluster, running: running(since) }, publish: true });
  const neighbour = (since: string) => [record([], { running: running(since) })];
  expect(holdOf([record([])], { publish: true })?.because).toBe('wave canary is not published yet');
  expect(holdOf([record([])], own('2026-06-09T23:59:30Z'))?.because).toBe('the others hear of wave canary first');
  expect(holdOf(neighbour(late), own(early))).toBeUndefined();
  expect(holdOf(neighbour(early), own(late))).toMatchObject({ cluster: 'staging' });
  expect(holdOf(neighbour(late), own(late, 'eu'))).toBeUndefined();
  expect(holdOf(neighbour(late), own(late, 'us'))).toMatchObject({ cluster: 'staging' });
});
