import type { NotificationRow, ReceiverRow, SentMessage } from '@nodewright/dashboard/rows';
import { type DataColumn, DataTable } from '../parts/data-table.tsx';
import { AgeText, TimeText } from '../parts/time-text.tsx';
import { TestButton } from './test-button.tsx';

/** Who is told of the rollouts of a policy, what was sent, and what came of it. */
export function NotificationsCard({ row: { id, receivers, messages } }: { readonly row: NotificationRow }) {
  const isTroubled = receivers.some(({ trouble }) => trouble !== undefined);
  return (
    <article class={isTroubled ? 'card bad' : 'card'} aria-label={`Notifications of ${id}`}>
      <h2>
        Notifications <span class="faint">of NodeRolloutPolicy {id}</span>
      </h2>
      <ul>
        {receivers.map((receiver) => (
          <ReceiverLine key={receiver.id} policy={id} receiver={receiver} />
        ))}
      </ul>
      <DataTable
        title={`Messages of ${id}`}
        columns={messageColumns}
        rows={messages.map((message) => ({ ...message, result: describeResult(message, receivers) }))}
        sortedBy=""
        empty="Nothing has happened yet that these receivers are told of."
      />
    </article>
  );
}

type ReceiverProps = { readonly policy: string; readonly receiver: ReceiverRow };

const ReceiverLine = ({ policy, receiver: { id, words, events, trouble } }: ReceiverProps) => (
  <li>
    {words}
    <span class="faint">, {events.length === 0 ? 'of everything' : `of ${events.join(', ')}`}</span>
    <TestButton policy={policy} receiver={id} words={words} />
    {trouble !== undefined && (
      <p class="warning">
        Cannot be told for <AgeText since={trouble.since} />, {trouble.failures}{' '}
        {trouble.failures === 1 ? 'attempt' : 'attempts'}: {trouble.error}. Next attempt{' '}
        <TimeText at={trouble.nextAt} />
      </p>
    )}
  </li>
);

type MessageRow = SentMessage & { readonly result: string };

const resultWords = { sent: 'sent', notYet: 'not sent yet', givenUp: 'given up after a day' } as const;

/** One word where all receivers have it, else what is with each. */
function describeResult({ deliveries }: SentMessage, receivers: readonly ReceiverRow[]): string {
  if (deliveries.length === 0) return 'not requested now';
  const wordsOf = (id: string): string => receivers.find((each) => each.id === id)?.words ?? id;
  return deliveries.every(({ result }) => result === 'sent')
    ? `sent to ${deliveries.length === 1 ? '1 receiver' : `all ${deliveries.length} receivers`}`
    : deliveries.map(({ receiver, result }) => `${resultWords[result]}: ${wordsOf(receiver)}`).join('; ');
}

const messageColumns: readonly DataColumn<MessageRow>[] = [
  { title: 'When', value: ({ at }) => at, draw: ({ at }) => <TimeText at={at} /> },
  { title: 'Of', value: ({ about }) => about },
  { title: 'Event', value: ({ event }) => event },
  { title: 'Message', value: ({ text }) => text, isProse: true },
  { title: 'Result', value: ({ result }) => result, isProse: true },
];
