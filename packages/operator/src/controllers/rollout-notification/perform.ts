import { type Instant, type NodeRolloutPolicy, type RolloutReceiver, seconds, toTimestamp } from '@nodewright/apis';
import {
  type Delivery,
  formatMessage,
  giveUpMessages,
  type MessageOwner,
  type MessageStatus,
  recordDelivery,
  type ToldMessage,
} from '@nodewright/engine';
import type { Clock, KubernetesClient, WebClient } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import type { Objects } from '../../state/objects.ts';
import { savePolicyStatus, saveRolloutStatus } from '../../state/rollout-status.ts';
import type { MessageSource } from './observe.ts';
import { readReceiverAddress } from './receiver-address.ts';
import { reportDelivery, reportLostMessages } from './report.ts';

export type NotificationDeps = {
  readonly objects: Objects;
  readonly client: KubernetesClient;
  readonly web: WebClient;
  readonly clusterName: string;
  readonly clock: Clock;
  readonly publish: Publisher;
};

const answerTimeoutMs = seconds(10);

/** Sends one message to one receiver, and stores what came of it before anything else is sent. */
export async function deliverMessage(
  deps: NotificationDeps,
  source: MessageSource,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const error = await postMessage(deps, { about: source.about, delivery }, signal);
  if (signal.aborted) return;
  const { key, message } = delivery;
  const outcome = { key, message: message.id, now: deps.clock.now(), ...(error === undefined ? {} : { error }) };
  await saveMessages(deps.objects, source.about, (status) => recordDelivery(status, outcome));
  deps.publish(reportDelivery(source, delivery, error));
}

export async function dropMessages(
  deps: NotificationDeps,
  source: MessageSource,
  messages: readonly Delivery['message'][],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  await saveMessages(deps.objects, source.about, (status) => giveUpMessages(status, ids));
  deps.publish(reportLostMessages(source, messages));
}

function saveMessages(
  objects: Objects,
  { kind, object: { metadata } }: MessageOwner,
  change: <T extends MessageStatus>(status: T) => T,
): Promise<void> {
  return kind === 'NodeRollout'
    ? saveRolloutStatus(objects, metadata.name, change)
    : savePolicyStatus(objects, metadata.name, change);
}

type PostingDeps = Pick<NotificationDeps, 'client' | 'web' | 'clusterName'>;

/**
 * Sends a message by which a person tries a receiver. Nothing of it is stored.
 * @returns why the receiver did not take it; `undefined` when it did
 */
export function sendTestMessage(
  deps: PostingDeps,
  {
    policy,
    receiver,
    now,
  }: { readonly policy: NodeRolloutPolicy; readonly receiver: RolloutReceiver; readonly now: Instant },
  signal: AbortSignal,
): Promise<string | undefined> {
  const at = toTimestamp(now);
  const text = `This is a test of whether messages of NodeRolloutPolicy ${policy.metadata.name} arrive here`;
  const delivery = { message: { id: `test/${at}`, event: 'Test', text, at }, receiver } as const;
  return postMessage(deps, { about: { kind: 'NodeRolloutPolicy', object: policy }, delivery }, signal);
}

type PostedMessage = {
  readonly about: MessageOwner;
  readonly delivery: { readonly message: ToldMessage; readonly receiver: RolloutReceiver };
};

/** Why the receiver did not take the message; absent when it did. */
async function postMessage(
  { client, web, clusterName }: PostingDeps,
  { about, delivery }: PostedMessage,
  signal: AbortSignal,
): Promise<string | undefined> {
  const address = await readReceiverAddress(client, delivery.receiver);
  if (address.kind === 'unknown') return address.because;
  const { message, receiver } = delivery;
  const { contentType, body } = formatMessage(receiver.format, { about, message, cluster: clusterName });
  const { url, token } = address;
  const headers = { 'content-type': contentType, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const answer = await web.send({ method: 'POST', url, headers, body, timeoutMs: answerTimeoutMs }, signal);
  if (answer.kind === 'unreachable') return answer.because;
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken ? undefined : `${new URL(url).origin} answers ${answer.status}`;
}
