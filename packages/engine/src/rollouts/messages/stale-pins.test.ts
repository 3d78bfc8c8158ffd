import { days, instant, type RolloutReceiver } from '@nodewright/apis';
import { expect, test } from 'vitest';
import type { SourcePin } from '../source-pin.ts';
import { nextPinMessage, notePinMessages } from './stale-pins.ts';

const start = instant(Date.parse('2026-01-01T00:00:00Z'));
const receivers: readonly RolloutReceiver[] = [{ url: 'https://a.example', format: 'Slack' }];
const pin: SourcePin = { source: 'EC2NodeClass/default', release: 'v20260101', releasedAt: start };

const after = (age: number, known: ReturnType<typeof notePinMessages> = [], pins = [pin]) =>
  notePinMessages({ messages: [...known] }, { pins, receivers, now: instant(start + days(age)) });

test('a pin is told of after 30 days, and again when it has doubled its age', () => {
  expect(after(29)).toEqual([]);
  const first = after(31);
  expect(first).toMatchObject([
    {
      id: 'pin-stale/EC2NodeClass/default/v20260101/30',
      event: 'PinStale',
      text: 'EC2NodeClass/default pins v20260101, which came out 31 days ago: no newer release reaches its nodes',
      told: [],
    },
  ]);
  expect(after(45, first)).toEqual(first);
  expect(after(61, first).map(({ id }) => id.split('/').at(-1))).toEqual(['30', '60']);
});

test('a pin that is already old is told of once', () => {
  expect(after(400).map(({ id }) => id.split('/').at(-1))).toEqual(['365']);
});

test('what was told of another pin goes with it', () => {
  expect(after(31, after(31), [{ ...pin, release: 'v20260120', releasedAt: instant(start + days(20)) }])).toEqual([]);
});

test('nothing is noted where no receiver asks for it', () => {
  const now = instant(start + days(31));
  const others: readonly RolloutReceiver[] = [{ url: 'https://a.example', format: 'Slack', events: ['Halted'] }];
  expect(notePinMessages({}, { pins: [pin], receivers: others, now })).toEqual([]);
});

test('the next look is when the pin has reached the next age', () => {
  expect(nextPinMessage([pin], instant(start + days(40)))).toBe(start + days(60));
  expect(nextPinMessage([pin], instant(start + days(400)))).toBeUndefined();
});
