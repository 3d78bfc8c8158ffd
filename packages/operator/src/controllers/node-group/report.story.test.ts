import type { NodeGroup } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { printEntries } from '@nodewright/testkit/worlds';
import * as reports from './report.ts';

const group: NodeGroup = {
  metadata: { name: 'workers' },
  spec: {},
  status: { update: { number: 3, target: 'ami-2', startedAt: '2024-03-01T12:00:00Z' } },
};

for (const { fact, event, told } of [
  {
    fact: 'an update that starts',
    event: reports.updateStarted(group, 'ami-2'),
    told: 'Normal UpdateStarted NodeGroup/workers: Updating to ami-2 (workers, Updating to ami-2) every 3600 s',
  },
  {
    fact: 'a warning',
    event: reports.updateWarned(group, 'zone-a may need 2 addresses and has 1'),
    told: 'Warning UpdateWarning NodeGroup/workers: zone-a may need 2 addresses and has 1 (workers, zone-a may need 2 addresses and has 1) every 3600 s',
  },
  {
    fact: 'an update that succeeds',
    event: reports.updateSucceeded(group, 'ami-2'),
    told: 'Normal UpdateSucceeded NodeGroup/workers: Every node is on ami-2 (workers, Every node is on ami-2) every 3600 s',
  },
  {
    fact: 'an update that fails',
    event: reports.updateFailed(group, 'PodEvictionFailure'),
    told: 'Warning UpdateFailed NodeGroup/workers: PodEvictionFailure (workers, PodEvictionFailure) every 3600 s',
  },
  {
    fact: 'an update that was turned around',
    event: reports.updateReverted(group, ['a', 'b']),
    told: 'Warning UpdateReverted NodeGroup/workers: The update was turned around: a, b came back with the old image (workers, The update was turned around: a, b came back with the old image) every 3600 s',
  },
  {
    fact: 'what holds an update, by reason and message',
    event: reports.updateHeld(group, { reason: 'QuotaExceeded', message: 'no room' }),
    told: 'Warning UpdateBlocked NodeGroup/workers: no room (workers, QuotaExceeded, no room) every 3600 s',
  },
  {
    fact: 'a release that was withdrawn',
    event: reports.wouldGoBack(group, 'it would go back'),
    told: 'Warning ReleaseWithdrawn NodeGroup/workers: it would go back (workers, it would go back) every 3600 s',
  },
  {
    fact: 'an eviction that is held, once for each pod of an update',
    event: reports.evictionBlocked(group, {
      reason: 'EvictionBlocked',
      message: 'held by a budget',
      namespace: 'default',
      pod: 'web',
      since: '2024-03-01T12:00:00Z',
    }),
    told: 'Warning EvictionBlocked NodeGroup/workers: held by a budget (workers, 3, default, web) every 3600 s',
  },
]) {
  test(`a node group tells ${fact}`, () =>
    expect(printEntries(reports.reportNodeGroupPlan({ reports: [event] }))).toEqual([told]));
}

test.each([
  ['an error', new Error('AccessDenied: request 1234')],
  ['anything', 'AccessDenied: request 1234'],
])('a node group tells that a turn failed with %s, by the start of its message', (_, error) => {
  expect(printEntries(reports.reportFailedTurn(group, error))).toEqual([
    'Warning CallFailed NodeGroup/workers: AccessDenied: request 1234 (workers, AccessDenied) every 3600 s',
  ]);
});
