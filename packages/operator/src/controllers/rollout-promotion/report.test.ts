import { fromTimestamp, type NodeRolloutPolicy } from '@nodewright/apis';
import type { Publication, UpstreamReading } from '@nodewright/engine';
import { printEntries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import type { UpstreamState } from '../../state/upstream-records.ts';
import type { PublicationPlan } from './plan.ts';
import { reportEvidence } from './report.ts';

const at = '2026-06-01T00:00:00Z';
const readAt = fromTimestamp(at);
const policy: NodeRolloutPolicy = { metadata: { name: 'production' }, spec: {} };
const record = { cluster: 'staging', policy: 'production', at, releases: [] };

const readable: UpstreamReading = { requirement: 0, readAt, kind: 'read', record };
const unreadable = (message: string, requirement = 0): UpstreamReading => ({
  requirement,
  readAt,
  kind: 'unreadable',
  message,
});
const place = 'SSM parameter /evidence';
const published: Publication = { kind: 'published', place };
const failed = (because: string): Publication => ({ kind: 'failed', place, because });

const keep: PublicationPlan = { kind: 'keep', record, nextAt: readAt };
const publish: PublicationPlan = { kind: 'publish', record, text: '{}', before: { kind: 'absent' }, nextAt: readAt };

const logged = (level: string, message: string, fields: Readonly<Record<string, string>>): string =>
  `${level} ${message} ${JSON.stringify({ NodeRolloutPolicy: { name: 'production' }, ...fields })}`;

const aState = (readings: readonly UpstreamReading[], publication?: Publication): UpstreamState => ({
  readings,
  ...(publication === undefined ? {} : { publication }),
});

for (const { fact, before, after, plan, told } of [
  { fact: 'a place that is read for the first time', after: aState([readable]), told: [] },
  {
    fact: 'a place that cannot be read',
    after: aState([unreadable('AccessDenied')]),
    told: [logged('warn', 'the record of another cluster cannot be read', { reason: 'AccessDenied' })],
  },
  {
    fact: 'a place that still cannot be read',
    before: aState([unreadable('AccessDenied')]),
    after: aState([unreadable('AccessDenied')]),
    told: [],
  },
  {
    fact: 'a place that cannot be read for another reason',
    before: aState([unreadable('AccessDenied')]),
    after: aState([unreadable('it has no hash')]),
    told: [logged('warn', 'the record of another cluster cannot be read', { reason: 'it has no hash' })],
  },
  {
    fact: 'another place that cannot be read',
    before: aState([readable, unreadable('AccessDenied', 1)]),
    after: aState([unreadable('AccessDenied'), unreadable('AccessDenied', 1)]),
    told: [logged('warn', 'the record of another cluster cannot be read', { reason: 'AccessDenied' })],
  },
  {
    fact: 'a place that is readable again',
    before: aState([unreadable('AccessDenied')]),
    after: aState([readable]),
    told: [logged('info', 'the record of another cluster is read again', { cluster: 'staging' })],
  },
  { fact: 'a place that stays readable', before: aState([readable]), after: aState([readable]), told: [] },
  {
    fact: 'a record that was written',
    after: aState([], published),
    plan: publish,
    told: [logged('debug', 'published the record of a policy', { place })],
  },
  { fact: 'a record that is kept', after: aState([], published), plan: keep, told: [] },
  {
    fact: 'a record that could not be written',
    before: aState([], published),
    after: aState([], failed('AccessDenied')),
    plan: publish,
    told: [logged('warn', 'the record of a policy is not published', { place, reason: 'AccessDenied' })],
  },
  {
    fact: 'a record that still cannot be written',
    before: aState([], failed('AccessDenied')),
    after: aState([], failed('AccessDenied')),
    plan: publish,
    told: [],
  },
  {
    fact: 'a record that cannot be written for another reason',
    before: aState([], failed('AccessDenied')),
    after: aState([], failed('Throttled')),
    plan: publish,
    told: [logged('warn', 'the record of a policy is not published', { place, reason: 'Throttled' })],
  },
] as readonly {
  fact: string;
  before?: UpstreamState;
  after: UpstreamState;
  plan?: PublicationPlan;
  told: readonly string[];
}[])
  test(`what is logged of ${fact}`, () => {
    expect(printEntries(reportEvidence(policy, { before, after, plan }))).toEqual(told);
  });
