import { type NodeRollout, nodeRollouts } from '@nodewright/apis';
import type { Delivery } from '@nodewright/engine';
import { printEntries } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { reportDelivery, reportLostMessages } from './report.ts';

const rollout: NodeRollout = {
  metadata: { name: 'web-2', uid: 'uid-web-2' },
  spec: { policy: 'web', number: 2, cause: 'NewRelease', from: [], to: [], kubernetesVersion: '1.28', members: 4 },
};
const source = { about: { kind: 'NodeRollout', object: rollout }, type: nodeRollouts } as const;
// Only what names a message and its receiver is reported.
const delivery = { message: { id: 'web-2-3' }, receiver: { format: 'Slack' } } as unknown as Delivery;
const lost = ['web-2-3', 'web-2-4'].map((id) => ({ id }) as unknown as Delivery['message']);

for (const { fact, told, lines } of [
  {
    fact: 'a message that was taken is only counted',
    told: reportDelivery(source, delivery, undefined),
    lines: ['rolloutMessageEnded "web", "Slack", "sent"'],
  },
  {
    fact: 'one that was not is told with its reason, once for each reason',
    told: reportDelivery(source, delivery, 'HTTP 500'),
    lines: [
      'Warning NotificationFailed NodeRollout/web-2: Slack message web-2-3 is not delivered: HTTP 500; it is tried again for a day (uid-web-2, Slack, HTTP 500)',
      'warn a message was not delivered {"NodeRollout":{"name":"web-2"},"message":"web-2-3","reason":"HTTP 500"}',
      'rolloutMessageEnded "web", "Slack", "failed"',
    ],
  },
  {
    fact: 'messages that are given up are named together and counted apart',
    told: reportLostMessages(source, lost),
    lines: [
      'Warning NotificationGivenUp NodeRollout/web-2: not every receiver got web-2-3, web-2-4 within a day; it is not tried any more ()',
      'error messages are given up {"NodeRollout":{"name":"web-2"},"messages":"web-2-3, web-2-4"}',
      'rolloutMessageEnded "web", "", "givenUp"',
      'rolloutMessageEnded "web", "", "givenUp"',
    ],
  },
]) {
  test(`of a delivery: ${fact}`, () => expect(printEntries(told)).toEqual(lines));
}
