import { createHash } from 'node:crypto';
import { instant, type Instant, minutes } from '@nodewright/apis';
import type { Ledger } from '@nodewright/runtime';
import type { QueueAttributes } from './attributes.ts';
import type { FifoPlace, Message } from './message.ts';

/** What FIFO queues have unless their maker says otherwise. */
export const usualFifoAttributes: QueueAttributes = {
  ContentBasedDeduplication: 'false',
  DeduplicationScope: 'queue',
  FifoThroughputLimit: 'perQueue',
};

export const isFifoName = (name: string): boolean => name.endsWith('.fifo');

/** SQS takes the body for the id where the queue says so. */
export const deduplicationIdOf = (body: string): string => createHash('sha256').update(body).digest('hex');

/** So long a message with the same id is the same message. */
const remembersMs = minutes(5);

type KeptDeduplication = { readonly at: Instant; readonly message: Message };

/** The messages that FIFO queues got lately, by what they are recognized by, and the numbers of all. */
export class Deduplication {
  readonly #kept: Map<string, KeptDeduplication>;
  readonly #sequences: Map<string, number>;

  constructor(ledger: Ledger) {
    this.#kept = ledger.map('sqs/deduplication');
    this.#sequences = ledger.map('sqs/sequences');
  }

  /** Finds the message that was sent before and is the same. */
  find(key: string, now: Instant): Message | undefined {
    for (const [old, { at }] of this.#kept) if (now >= instant(at + remembersMs)) this.#kept.delete(old);
    return this.#kept.get(key)?.message;
  }

  keep(key: string, message: Message, at: Instant): void {
    this.#kept.set(key, { at, message });
  }

  /** Twenty digits, each time more. */
  nextSequence(queue: string): string {
    const number = (this.#sequences.get(queue) ?? 0) + 1;
    this.#sequences.set(queue, number);
    return `188${String(number * 256).padStart(17, '0')}`;
  }
}

/** The key by which a queue recognizes a message: its id, in the whole queue or in the group. */
export const deduplicationKey = (
  queue: string,
  attributes: QueueAttributes,
  { groupId, deduplicationId }: Pick<FifoPlace, 'groupId' | 'deduplicationId'>,
): string =>
  JSON.stringify([queue, deduplicationId, ...(attributes['DeduplicationScope'] === 'messageGroup' ? [groupId] : [])]);

/** Those messages of a FIFO queue that may be received: none of a group before an earlier one of it that is in flight. */
export function listReceivable(messages: readonly Message[], now: Instant): readonly Message[] {
  const blocked = new Set<string | undefined>();
  return messages.filter(({ fifo, visibleAt }) => {
    if (visibleAt > now) blocked.add(fifo?.groupId);
    return !blocked.has(fifo?.groupId);
  });
}
