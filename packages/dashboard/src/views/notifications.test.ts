import type { NodeRollout, NodeRolloutPolicy, RolloutReceiver } from '@nodewright/apis';
import { receiverKey } from '@nodewright/engine';
import { aClusterReading } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { describeReceiver, viewNotifications } from './notifications.ts';

const password = 'T0P-S3CRET';
const secretRef = { namespace: 'karpenter', name: 'receivers', key: 'slack' };
const slack: RolloutReceiver = {
  format: 'Slack',
  url: `https://me:${password}@hooks.example/services/${password}?k=${password}`,
};
const events: RolloutReceiver = { format: 'CloudEvents', url: 'https://events.example', secretRef, events: ['Halted'] };
const [slackKey, eventsKey] = [receiverKey(slack), receiverKey(events)];

const policy: NodeRolloutPolicy = {
  metadata: { name: 'production' },
  spec: { preset: 'standard', notify: [slack, events] },
};

const rollout = {
  metadata: { name: 'production-1' },
  spec: { policy: 'production', number: 1, cause: 'NewRelease', from: [], to: [], members: 3 },
  status: {
    messages: [
      {
        id: 'started',
        event: 'Started',
        text: 'production-1 has started',
        at: '2024-03-01T10:00:00Z',
        told: [slackKey],
      },
      { id: 'halted', event: 'Halted', text: 'production-1 has halted', at: '2024-03-01T11:00:00Z', told: [slackKey] },
    ],
    receiverTroubles: [
      {
        receiver: eventsKey,
        failures: 3,
        since: '2024-03-01T11:00:00Z',
        nextAt: '2024-03-01T11:05:00Z',
        error: 'https://events.example answers 503',
      },
    ],
  },
} as unknown as NodeRollout;

const viewOf = (...rollouts: readonly NodeRollout[]) =>
  viewNotifications(aClusterReading({ rolloutObjects: { policies: [policy], rollouts } }));

test('receivers are shown with their trouble, messages with who has them, the latest first', () => {
  const [row] = viewOf(rollout);
  expect(row?.id).toBe('production');
  expect(row?.receivers.map(({ id, trouble, events: asked }) => [id, trouble?.error, asked])).toEqual([
    [slackKey, undefined, []],
    [eventsKey, 'https://events.example answers 503', ['Halted']],
  ]);
  expect(row?.messages.map(({ about, event, deliveries }) => [about, event, deliveries])).toEqual([
    [
      'production-1',
      'Halted',
      [
        { receiver: slackKey, result: 'sent' },
        { receiver: eventsKey, result: 'notYet' },
      ],
    ],
    ['production-1', 'Started', [{ receiver: slackKey, result: 'sent' }]],
  ]);
});

test('a message that a receiver never got is given up', () => {
  const [halted] = (rollout.status?.messages ?? []).slice(1);
  const given = { ...rollout, status: { messages: [{ ...halted, givenUp: true }] } } as NodeRollout;
  expect(viewOf(given)[0]?.messages[0]?.deliveries.map(({ result }) => result)).toEqual(['sent', 'givenUp']);
});

test('messages of other policies and of other receivers are not shown as those of this one', () => {
  const other = { ...rollout, spec: { ...rollout.spec, policy: 'staging' } };
  expect(viewOf(other)[0]).toMatchObject({ messages: [] });
  expect(viewNotifications(aClusterReading())).toEqual([]);
});

test('nothing of an address but where it leads is shown: the rest may be a password', () => {
  expect(JSON.stringify(viewOf(rollout))).not.toContain(password);
  expect(describeReceiver(slack)).toBe('Slack at https://hooks.example');
  expect(describeReceiver(events)).toBe(
    'CloudEvents at https://events.example, with the token in Secret karpenter/receivers, key slack',
  );
  expect(describeReceiver({ format: 'Slack', secretRef })).toBe(
    'Slack at the address in Secret karpenter/receivers, key slack',
  );
  expect(describeReceiver({ format: 'Slack', url: 'http://[' })).toBe('Slack at an address that cannot be read');
});
