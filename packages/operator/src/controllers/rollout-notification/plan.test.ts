import {
  fromTimestamp,
  hours,
  instant,
  type Instant,
  type NodeRolloutPolicy,
  nodeRolloutPolicies,
  seconds,
} from '@nodewright/apis';
import { receiverKey } from '@nodewright/engine';
import { expect, test } from 'vitest';
import type { MessageSource } from './observe.ts';
import { planNotification } from './plan.ts';

const at = '2026-06-01T00:00:00Z';
const now = fromTimestamp(at);
const policy: NodeRolloutPolicy = { metadata: { name: 'production' }, spec: {} };
const chat = { url: 'https://chat.example/hook', format: 'Slack' } as const;
const pager = { url: 'https://pager.example/hook', format: 'CloudEvents' } as const;
const message = (id: string, told: readonly string[] = []) => ({ id, event: 'Halted' as const, text: id, at, told });

const aSource = (status: MessageSource['status']): MessageSource => ({
  about: { kind: 'NodeRolloutPolicy', object: policy },
  type: nodeRolloutPolicies,
  status,
  receivers: [chat, pager],
});
const planOf = (status: MessageSource['status'], when: Instant = now) => {
  const { giveUp, send, nextAt } = planNotification(aSource(status), when);
  return {
    giveUp: giveUp.map(({ id }) => id),
    send: send.map((delivery) => `${delivery.message.id} to ${delivery.receiver.format}`),
    nextAt,
  };
};

test('each receiver is sent one message in a turn, and the next turn comes at once', () => {
  expect(planOf({ messages: [message('1'), message('2')] })).toEqual({
    giveUp: [],
    send: ['1 to Slack', '1 to CloudEvents'],
    nextAt: now,
  });
});

test('what everybody was told is not sent again, and nothing more is due', () => {
  const told = [receiverKey(chat), receiverKey(pager)];
  expect(planOf({ messages: [message('1', told)] })).toEqual({ giveUp: [], send: [], nextAt: undefined });
});

test('a receiver that failed is waited for, and holds up no other', () => {
  const trouble = { receiver: receiverKey(chat), failures: 1, since: at, nextAt: '2026-06-01T00:00:10Z', error: 'e' };
  const messages = [message('1')];
  expect(planOf({ messages, receiverTroubles: [trouble] })).toEqual({
    giveUp: [],
    send: ['1 to CloudEvents'],
    nextAt: now,
  });
  expect(planOf({ messages: [message('1', [receiverKey(pager)])], receiverTroubles: [trouble] })).toEqual({
    giveUp: [],
    send: [],
    nextAt: now + seconds(10),
  });
});

test('a message that a receiver did not take for a day is given up', () => {
  expect(planOf({ messages: [message('1', [receiverKey(chat)])] }, instant(now + hours(24)))).toEqual({
    giveUp: ['1'],
    send: [],
    nextAt: undefined,
  });
});
