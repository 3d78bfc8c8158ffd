import { days, fromTimestamp, hours, instant, minutes, type NodeRollout, type RolloutReceiver } from '@nodewright/apis';
import { seededRandom } from '@nodewright/runtime';
import { SimulatedFleet } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { keepWritesOfOthers } from '../stored-status.ts';
import { planDeliveries, receiverKey, recordDelivery } from './deliveries.ts';

const receiver: RolloutReceiver = { url: 'https://a.example', format: 'CloudEvents' };
const notify = [receiver];

function liveThrough(fleet: SimulatedFleet, ms: number): void {
  for (let passed = 0; passed < ms; passed += minutes(10)) {
    fleet.advanceTime(minutes(10));
    fleet.reconcile();
  }
}

const aFleet = (policy = {}, count = 1): SimulatedFleet => {
  const pools = Array.from({ length: count }, (_, index) => ({ name: `pool-${index}`, nodes: 10 }));
  const fleet = new SimulatedFleet({ random: seededRandom('messages'), policy: { notify, ...policy }, pools });
  fleet.reconcile();
  return fleet;
};

const messagesOf = (fleet: SimulatedFleet) => fleet.rollouts.flatMap(({ status }) => status?.messages ?? []);

test('a rollout of 500 nodes has one message for each happening: fewer than 30', () => {
  const pace = { maxPerHour: 1_000, maxSurge: 500, minInterval: '1s' };
  const fleet = aFleet({ preset: 'fast', pace }, 50);
  fleet.publish('v2');
  liveThrough(fleet, hours(8));
  expect(fleet.rollouts.at(-1)?.status?.state).toBe('Complete');
  expect(messagesOf(fleet).map(({ id }) => id)).toEqual(['started', 'wave-done/canary', 'wave-done/all', 'complete']);
});

test('a halt is told with its numbers', () => {
  const fleet = aFleet();
  fleet.publish('v2', { neverJoins: true });
  liveThrough(fleet, hours(4));
  expect(messagesOf(fleet).map(({ event, text }) => [event, text.split(':')[0]])).toEqual([
    ['Started', 'test-1 has started (NewRelease)'],
    ['Halted', 'test-1 has halted (FailureBudgetExceeded)'],
  ]);
});

test('nothing is noted without receivers, nor for a policy that only reports', () => {
  for (const policy of [{ notify: [] }, { mode: 'Report' as const }]) {
    const fleet = aFleet(policy);
    fleet.publish('v2');
    liveThrough(fleet, hours(1));
    expect(messagesOf(fleet)).toEqual([]);
  }
});

const at = '2026-06-01T00:00:00Z';
const start = fromTimestamp(at);
const message = (id: string) => ({ id, event: 'Started' as const, text: id, at, told: [] });
test('a receiver that fails is tried again later and later, and with the next message', () => {
  const key = receiverKey(receiver);
  let status: NonNullable<NodeRollout['status']> = { messages: [message('a'), message('b')] };
  let now = start;
  const tried: [string | undefined, number][] = [];
  for (let count = 0; count < 12; count += 1) {
    const { due } = planDeliveries({ status, receivers: notify, now });
    const [first] = due;
    tried.push([first?.message.id, (now - start) / 1_000]);
    status = recordDelivery(status, { key, message: first?.message.id ?? '', now, error: 'away' });
    now = planDeliveries({ status, receivers: notify, now }).nextAt ?? now;
  }
  expect(tried.map(([id]) => id).slice(0, 3)).toEqual(['a', 'b', 'a']);
  expect(tried.map(([, seconds]) => seconds)).toEqual([0, 10, 30, 70, 150, 310, 630, 1270, 2550, 4350, 6150, 7950]);
  const last = planDeliveries({ status, receivers: notify, now: instant(start + days(1)) });
  expect([last.due, last.givenUp.map(({ id }) => id)]).toEqual([[], ['a', 'b']]);
});

test('who was told is kept when a plan that was made before is stored', () => {
  const key = receiverKey(receiver);
  const planned = { messages: [message('a'), message('b')] };
  const stored = recordDelivery({ messages: [message('a')] }, { key, message: 'a', now: start });
  expect(keepWritesOfOthers(stored, planned).messages).toMatchObject([
    { id: 'a', told: [key] },
    { id: 'b', told: [] },
  ]);
});

test('a receiver with other settings gets what is still open', () => {
  const key = receiverKey(receiver);
  const status = recordDelivery({ messages: [message('a')] }, { key, message: 'a', now: start });
  const isDue = (receivers: readonly RolloutReceiver[]) => planDeliveries({ status, receivers, now: start }).due.length;
  expect([isDue([receiver]), isDue([{ ...receiver, url: 'https://b.example' }])]).toEqual([0, 1]);
});
