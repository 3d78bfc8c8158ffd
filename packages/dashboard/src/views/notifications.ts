import {
  byTextOf,
  inOrder,
  type NodeRolloutPolicy,
  type RolloutReceiver,
  byNumberOf,
  inReverse,
} from '@nodewright/apis';
import { type MessageStatus, receiverKey, wantsMessage } from '@nodewright/engine';
import type { ClusterReading } from '@nodewright/operator';
import type { MessageDelivery, NotificationRow, ReceiverRow, SentMessage } from '../rows/dashboard-rows.ts';

/** Messages are kept for as long as their rollouts are; people look at the last ones. */
const mostMessagesShown = 50;

/** Who is told of the rollouts of each policy, what was sent, and what came of it. By policy. */
export const viewNotifications = ({
  rolloutObjects,
}: Pick<ClusterReading, 'rolloutObjects'>): readonly NotificationRow[] =>
  rolloutObjects.policies
    .filter(({ spec }) => (spec.notify ?? []).length > 0)
    .map((policy) => viewPolicy(policy, rolloutObjects))
    .toSorted(byTextOf(({ id }) => id));

type NotifiedObject = { readonly name: string; readonly status: MessageStatus };

function viewPolicy(policy: NodeRolloutPolicy, { rollouts }: ClusterReading['rolloutObjects']): NotificationRow {
  const { name } = policy.metadata;
  const receivers = policy.spec.notify ?? [];
  const own = rollouts.filter(({ spec }) => spec.policy === name);
  const sources = [policy, ...own].map(({ metadata, status = {} }) => ({ name: metadata.name, status }));
  return {
    id: name,
    receivers: receivers.map((receiver) => viewReceiver(receiver, sources)),
    messages: sources
      .flatMap((source) => viewMessages(source, receivers))
      .toSorted(latestMessageFirst)
      .slice(0, mostMessagesShown),
  };
}

const latestMessageFirst = inOrder<SentMessage>(
  inReverse(byTextOf(({ at }) => at)),
  byTextOf(({ id }) => id),
);

function viewReceiver(receiver: RolloutReceiver, sources: readonly NotifiedObject[]): ReceiverRow {
  const id = receiverKey(receiver);
  const troubles = sources
    .flatMap(({ status }) => status.receiverTroubles ?? [])
    .filter((each) => each.receiver === id);
  const [trouble] = troubles.toSorted(inReverse(byNumberOf(({ failures }) => failures)));
  return {
    id,
    words: describeReceiver(receiver),
    events: receiver.events ?? [],
    ...(trouble === undefined ? {} : { trouble: describeTrouble(trouble) }),
  };
}

const describeTrouble = ({
  failures,
  since,
  nextAt,
  error,
}: NonNullable<MessageStatus['receiverTroubles']>[number]) => ({
  failures,
  since,
  nextAt,
  error,
});

/** The path and the query of an address may be a password: those of Slack are. Only where it leads is named. */
export function describeReceiver({ url, format, secretRef }: RolloutReceiver): string {
  const secret = secretRef === undefined ? '' : `Secret ${secretRef.namespace}/${secretRef.name}, key ${secretRef.key}`;
  if (url === undefined) return `${format} at the address in ${secret}`;
  const place = URL.canParse(url) ? new URL(url).origin : 'an address that cannot be read';
  return `${format} at ${place}${secret === '' ? '' : `, with the token in ${secret}`}`;
}

const viewMessages = (
  { name, status: { messages = [] } }: NotifiedObject,
  receivers: readonly RolloutReceiver[],
): readonly SentMessage[] =>
  messages.map(({ id, event, text, at, told, givenUp = false }) => ({
    id: `${name} ${id}`,
    about: name,
    event,
    text,
    at,
    deliveries: receivers
      .filter((receiver) => wantsMessage(receiver, event))
      .map((receiver): MessageDelivery => {
        const key = receiverKey(receiver);
        return { receiver: key, result: told.includes(key) ? 'sent' : givenUp ? 'givenUp' : 'notYet' };
      }),
  }));
