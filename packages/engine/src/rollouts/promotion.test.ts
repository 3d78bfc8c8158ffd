import { fromTimestamp } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { type EvidenceRecord, judgePromotion, type ProvenRelease, type UpstreamReading } from './promotion.ts';

const now = fromTimestamp('2026-06-10T00:00:00Z');
const variant = 'AL2023/amd64/none';
const place = { ssmParameter: '/evidence/staging' };
const promotion = {
  require: [{ from: place, completedFor: '48h', minimumNodeHours: 500 }],
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
