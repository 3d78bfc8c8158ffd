import { type NodeRolloutStatus, seconds } from '@nodewright/apis';
import { type Delivery, formatMessage, giveUpMessages, recordDelivery } from '@nodewright/engine';
import type { Clock, KubernetesClient, WebClient } from '@nodewright/runtime';
import type { Publisher } from '../../reporting/publisher.ts';
import { isConflictAnswer } from '../../objects/collection.ts';
import type { Objects } from '../../state/objects.ts';
import { type ObservedRollout, readReceiverAddress } from './observe.ts';
import { reportDelivery, reportGivenUp } from './report.ts';

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
export async function sendMessage(
  deps: NotificationDeps,
  { rollout }: ObservedRollout,
  delivery: Delivery,
  signal: AbortSignal,
): Promise<void> {
  const error = await postMessage(deps, { rollout, delivery }, signal);
  if (signal.aborted) return;
  const { key, message } = delivery;
  const outcome = { key, message: message.id, now: deps.clock.now(), ...(error === undefined ? {} : { error }) };
  await saveMessages(deps, rollout.metadata.name, (status) => recordDelivery(status, outcome));
  deps.publish(reportDelivery(rollout, delivery, error));
}

export async function giveUp(
  deps: NotificationDeps,
  { rollout }: ObservedRollout,
  messages: readonly Delivery['message'][],
): Promise<void> {
  const ids = messages.map(({ id }) => id);
  await saveMessages(deps, rollout.metadata.name, (status) => giveUpMessages(status, ids));
  deps.publish(reportGivenUp(rollout, messages));
}

/** Why the receiver did not take the message; absent when it did. */
async function postMessage(
  { client, web, clusterName }: NotificationDeps,
  { rollout, delivery }: { readonly rollout: ObservedRollout['rollout']; readonly delivery: Delivery },
  signal: AbortSignal,
): Promise<string | undefined> {
  const address = await readReceiverAddress(client, delivery.receiver);
  if (address.kind === 'unknown') return address.because;
  const { message, receiver } = delivery;
  const { contentType, body } = formatMessage(receiver.format, { rollout, message, cluster: clusterName });
  const { url, token } = address;
  const headers = { 'content-type': contentType, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const answer = await web.send({ method: 'POST', url, headers, body, timeoutMs: answerTimeoutMs }, signal);
  if (answer.kind === 'unreachable') return answer.because;
  const isTaken = answer.status >= 200 && answer.status < 300;
  return isTaken ? undefined : `${new URL(url).origin} answers ${answer.status}`;
}

/** How often a write is repeated that met the plan of the rollout, which writes the same status. */
const mostWrites = 5;

/** Who was told is changed in what the API server has now. What is lost here is sent again. */
async function saveMessages(
  { objects: { rollouts } }: NotificationDeps,
  name: string,
  change: (status: NodeRolloutStatus) => NodeRolloutStatus,
): Promise<void> {
  for (let left = mostWrites; left > 0; left -= 1) {
    const rollout = await rollouts.read({ name });
    if (rollout === undefined) return;
    try {
      await rollouts.save(rollout, { ...rollout, status: change(rollout.status ?? {}) });
      return;
    } catch (error) {
      if (left === 1 || !isConflictAnswer(error)) throw error;
    }
  }
}
