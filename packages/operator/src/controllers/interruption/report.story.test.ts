import { fromTimestamp, instant } from '@nodewright/apis';
import type { InterruptionKind } from '@nodewright/ports';
import { expect, test } from 'vitest';
import { aClaim, printEntries } from '@nodewright/testkit/worlds';
import {
  reportClaimEnd,
  reportEpisodes,
  reportInterruption,
  reportMalformed,
  reportReceived,
  reportRemoved,
  reportStatusDenied,
  reportUnhealthy,
} from './report.ts';

const claim = { ...aClaim('one'), status: { providerID: 'aws:///zone-a/i-1' } };
const { uid } = claim.metadata;
const victim = { claim, node: { metadata: { name: 'n', uid: 'uid-n' } } };
const now = fromTimestamp('2024-03-01T12:00:00Z');

const cases: readonly (readonly [InterruptionKind, string])[] = [
  ['spot_interrupted', 'Warning SpotInterrupted NodeClaim/one: Spot interruption warning was triggered'],
  [
    'rebalance_recommendation',
    'Normal SpotRebalanceRecommendation NodeClaim/one: Spot rebalance recommendation was triggered',
  ],
  ['instance_stopped', 'Warning InstanceStopping NodeClaim/one: Instance is stopping'],
  ['instance_terminated', 'Warning InstanceTerminating NodeClaim/one: Instance is terminating'],
  ['scheduled_change', 'Warning InstanceUnhealthy NodeClaim/one: An unhealthy warning was triggered for the instance'],
  [
    'capacity_reservation_interrupted',
    'Warning CapacityReservationInstanceInterrupted NodeClaim/one: Capacity Reservation interruption warning was triggered',
  ],
];

for (const [kind, told] of cases) {
  test(`${kind} is told on the claim and on its node`, () => {
    const [onClaim, onNode, ...others] = printEntries(reportInterruption(kind, victim));
    expect(onClaim).toBe(`${told} (${uid})`);
    expect(onNode).toBe(`${told.replace('NodeClaim/one', 'Node/n')} (uid-n)`);
    expect(others).toEqual([]);
  });
}

test('a message that announces nothing is not told', () => expect(reportInterruption('no_op', victim)).toEqual([]));

test('a claim without a node hears alone', () => expect(reportUnhealthy({ claim })).toHaveLength(1));

test('the end of a claim is logged, told on both, and counted by its reason', () => {
  expect(printEntries(reportClaimEnd(victim, { reason: 'spot_interrupted', message: 'deleting' }))).toEqual([
    'info deleting {"NodeClaim":{"name":"one"},"provider-id":"aws:///zone-a/i-1","Node":{"name":"n"},"kind":"spot_interrupted"}',
    `Warning TerminatingOnInterruption NodeClaim/one: Interruption triggered termination for the NodeClaim (${uid})`,
    'Warning TerminatingOnInterruption Node/n: Interruption triggered termination for the Node (uid-n)',
    'claimDisrupted one, "spot_interrupted"',
  ]);
});

for (const { fact, entries, told } of [
  {
    fact: 'a message that cannot be read is logged',
    entries: reportMalformed('no JSON'),
    told: ['error failed parsing interruption message {"error":"no JSON"}'],
  },
  {
    fact: 'how long a message was under way is measured',
    entries: reportReceived({ kind: 'spot_interrupted', instanceIds: [], announcedAt: instant(now - 2_000) }, now),
    told: ['interruptionReceived "spot_interrupted", 2000'],
  },
  {
    fact: 'a message that does not say when it was announced is counted',
    entries: reportReceived({ kind: 'no_op', instanceIds: [] }, now),
    told: ['interruptionReceived "no_op",'],
  },
  { fact: 'a message that is done with is counted', entries: reportRemoved, told: ['interruptionRemoved'] },
  {
    fact: 'a policy without ec2:DescribeInstanceStatus is named once',
    entries: reportStatusDenied(new Error('denied')),
    told: [
      'error may not ask for the status of instances, and asks no more; allow ec2:DescribeInstanceStatus {"error":"denied"}',
    ],
  },
  {
    fact: 'an instance that stays unhealthy counts once, in each way',
    entries: reportEpisodes(
      [
        { instanceId: 'i-1', categories: ['InstanceStatus', 'EventStatus'] },
        { instanceId: 'i-2', categories: ['SystemStatus'] },
      ],
      new Map([['i-1', ['InstanceStatus']]]),
    ),
    told: ['instanceUnhealthy "EventStatus"', 'instanceUnhealthy "SystemStatus"'],
  },
]) {
  test(fact, () => expect(printEntries(entries)).toEqual(told));
}
