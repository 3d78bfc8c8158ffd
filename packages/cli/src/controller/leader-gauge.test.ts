import { createMetrics } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { countLeadership } from './leader-gauge.ts';
import type { LeadershipCandidacy } from './leader-loop.ts';

test('the metrics tell who leads: not before the Lease is ours, and not after it is lost or given back', async () => {
  const metrics = createMetrics();
  const election: { told?: Parameters<LeadershipCandidacy>[0] } = {};
  const seek = countLeadership(metrics, 'karpenter-leader-election', (told) => {
    election.told = told;
    return { stop: () => Promise.resolve() };
  });
  const leads = async () =>
    /^leader_election_master_status\{name="karpenter-leader-election"\} (\d)$/m.exec(await metrics.text())?.[1];
  const candidacy = seek({ lead: () => undefined, lost: () => undefined });
  expect(await leads()).toBe('0');
  election.told?.lead();
  expect(await leads()).toBe('1');
  election.told?.lost();
  expect(await leads()).toBe('0');
  election.told?.lead();
  await candidacy.stop();
  expect(await leads()).toBe('0');
});
