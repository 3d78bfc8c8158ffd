import { fromTimestamp, instant, minutes, type NodeRolloutPolicy } from '@nodewright/apis';
import type { EvidenceRecord } from '@nodewright/engine';
import { expect, test } from 'vitest';
import type { PublicationSnapshot } from './observe.ts';
import { planPublication } from './plan.ts';
import type { PlacedText } from './record-place.ts';
import { readRecordText, writeRecordText } from './record-text.ts';

const at = '2026-06-01T00:00:00Z';
const now = fromTimestamp(at);
const policy: NodeRolloutPolicy = { metadata: { name: 'production' }, spec: {} };
const limits = { usualBytes: 4_096, mostBytes: 8_192 };
const own: EvidenceRecord = { cluster: 'staging', policy: 'production', at, releases: [] };

const withRecord = (record: EvidenceRecord): PlacedText => ({
  kind: 'found',
  text: writeRecordText(record, '', limits),
  version: '1',
});
const aSnapshot = (stored?: PlacedText): PublicationSnapshot => ({
  policy,
  clusterName: 'staging',
  place: { ssmParameter: '/evidence' },
  ...(stored === undefined ? {} : { stored }),
  rollouts: [],
  nodes: [],
  upstream: [],
});

for (const { fact, stored, because } of [
  { fact: 'without the name of its cluster', because: 'CLUSTER_NAME is not set, and others know this cluster by it' },
  { fact: 'that cannot be read', stored: { kind: 'failed', message: 'AccessDenied' }, because: 'AccessDenied' },
  {
    fact: 'that is no record',
    stored: { kind: 'found', text: 'notes', version: '1' },
    because: 'what is stored there is not overwritten: it is not JSON',
  },
  {
    fact: 'of another cluster',
    stored: withRecord({ ...own, cluster: 'production' }),
    because: 'the record of policy production of cluster production is stored there',
  },
  {
    fact: 'of another policy',
    stored: withRecord({ ...own, policy: 'batch' }),
    because: 'the record of policy batch of cluster staging is stored there',
  },
] as readonly { fact: string; stored?: PlacedText; because: string }[])
  test(`a place ${fact} is not written`, () => {
    expect(planPublication(aSnapshot(stored), now)).toEqual({ kind: 'fail', because });
  });

test('the first record is published at once, and again before readers take it for old', () => {
  const plan = planPublication(aSnapshot({ kind: 'absent' }), now);
  expect(plan).toMatchObject({ kind: 'publish', record: own, nextAt: now + minutes(15) });
});

test('a record that says everything is kept until it grows old, and then goes on from the one before', () => {
  const stored = withRecord(own);
  expect(planPublication(aSnapshot(stored), instant(now + minutes(14)))).toEqual({
    kind: 'keep',
    record: own,
    nextAt: now + minutes(15),
  });
  const plan = planPublication(aSnapshot(stored), instant(now + minutes(15)));
  const before = stored.kind === 'found' ? readRecordText(stored.text) : undefined;
  if (plan.kind !== 'publish' || before?.kind !== 'read') throw new Error('nothing is published');
  expect(plan.before).toBe(stored);
  expect(plan.text).toContain(`"previous":"${before.hash}"`);
});

test('a record of the future, by a clock that was wrong, is published over', () => {
  const stored = withRecord({ ...own, at: '2030-01-01T00:00:00Z', releases: [releaseOf('v9')] });
  expect(planPublication(aSnapshot(stored), now)).toMatchObject({ kind: 'publish', record: { at, releases: [] } });
});

const releaseOf = (release: string): EvidenceRecord['releases'][number] => ({
  variant: 'AL2023/amd64/none',
  release,
  completedAt: at,
  nodeHours: 1,
  pods: 1,
  failures: 0,
  verdict: 'Proven',
});
