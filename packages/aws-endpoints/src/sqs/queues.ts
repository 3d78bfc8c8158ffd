import { byTextOf, instant, type Instant, minutes, readOwn, byNumberOf } from '@nodewright/apis';
import type { Clock, Random, Ledger } from '@nodewright/runtime';
import { arnOf, type AwsAccount } from '../account.ts';
import { checkAttributes, type QueueAttributes, usualAttributes } from './attributes.ts';
import {
  badFifoName,
  badName,
  badReceiptHandle,
  badValue,
  deletedRecently,
  noSuchQueue,
  notInFlight,
  purgeInProgress,
  queueExists,
} from './errors.ts';
import { type FifoPlace, type Message, readReceiptHandle } from './message.ts';
import { Deduplication, deduplicationKey, isFifoName, listReceivable, usualFifoAttributes } from './fifo.ts';
import { waitUntil } from './waiting.ts';

/** One queue. */
export type Queue = {
  readonly name: string;
  readonly attributes: QueueAttributes;
  readonly tags: Readonly<Record<string, string>>;
  readonly createdAt: Instant;
  readonly changedAt: Instant;
  readonly purgedAt?: Instant;
};

/** What a sender says. */
export type Sent = Pick<Message, 'body' | 'sender'> &
  Partial<Pick<Message, 'attributes' | 'traceHeader'>> & {
    readonly delaySeconds?: number;
    /** Of a FIFO queue. */
    readonly fifo?: Omit<FifoPlace, 'sequence'>;
  };

type QueuesDeps = {
  readonly clock: Clock;
  readonly random: Random;
  readonly account: AwsAccount;
  readonly ledger: Ledger;
};

export type ReceiveOptions = { readonly most: number; readonly visibilitySeconds?: number };

type QueueCounts = { readonly visible: number; readonly inFlight: number; readonly delayed: number };

/** A name may be used again, and a queue be purged again, after so long. */
const againAfterMs = minutes(1);

/** The queues of the account and the messages in them. Times are the sandbox's. */
export class Queues {
  readonly #deps: QueuesDeps;
  readonly #queues: Map<string, Queue>;
  readonly #messages: Map<string, Message>;
  readonly #deletedAt: Map<string, Instant>;
  readonly #deduplication: Deduplication;
  /** Those who wait for a message. */
  readonly #waiting = new Set<() => void>();

  constructor(deps: QueuesDeps) {
    this.#deps = deps;
    this.#queues = deps.ledger.map('sqs/queues');
    this.#messages = deps.ledger.map('sqs/messages');
    this.#deletedAt = deps.ledger.map('sqs/deleted-queues');
    this.#deduplication = new Deduplication(deps.ledger);
  }

  /** Whether there never was a queue. */
  get isNew(): boolean {
    return this.#queues.size === 0 && this.#deletedAt.size === 0;
  }

  arnOf(name: string): string {
    return arnOf(this.#deps.account, 'sqs', name);
  }

  find(name: string): Queue | undefined {
    return this.#queues.get(name);
  }

  /** @throws AwsError `QueueDoesNotExist` */
  get(name: string): Queue {
    const queue = this.#queues.get(name);
    if (queue === undefined) throw noSuchQueue();
    return queue;
  }

  /** By name. */
  all(): readonly Queue[] {
    return [...this.#queues.values()].toSorted(byTextOf(({ name }) => name));
  }

  /**
   * The same queue again when it is there with the same attributes.
   * @throws AwsError when the name, an attribute, or another queue of that name stands against it
   */
  create(name: string, asked: QueueAttributes, tags: Queue['tags'] = {}): Queue {
    const isFifo = checkQueueName(name, asked);
    checkAttributes(asked, isFifo);
    const attributes = this.#withRedrive(name, asked);
    const found = this.#queues.get(name);
    if (found !== undefined) return sameQueue(found, attributes);
    const now = this.#deps.clock.now();
    const deletedAt = this.#deletedAt.get(name);
    if (deletedAt !== undefined && now < deletedAt + againAfterMs) throw deletedRecently();
    this.#deletedAt.delete(name);
    return this.#keep({
      name,
      tags,
      attributes: { ...usualAttributes, ...(isFifo && usualFifoAttributes), ...attributes },
      createdAt: now,
      changedAt: now,
    });
  }

  setAttributes(name: string, attributes: QueueAttributes): void {
    const queue = this.get(name);
    checkAttributes(attributes, isFifoName(name));
    const wanted = Object.entries({ ...queue.attributes, ...this.#withRedrive(name, attributes) }).filter(
      ([, value]) => value !== '',
    );
    this.#keep({ ...queue, attributes: Object.fromEntries(wanted), changedAt: this.#deps.clock.now() });
  }

  setTags(name: string, tags: Queue['tags']): void {
    this.#keep({ ...this.get(name), tags });
  }

  delete(name: string): void {
    this.get(name);
    this.#empty(name);
    this.#queues.delete(name);
    this.#deletedAt.set(name, this.#deps.clock.now());
    this.#tell();
  }

  /** @throws AwsError when the last purge is not a minute ago */
  purge(name: string): void {
    const queue = this.get(name);
    const now = this.#deps.clock.now();
    if (queue.purgedAt !== undefined && now < queue.purgedAt + againAfterMs) throw purgeInProgress(name);
    this.#empty(name);
    this.#keep({ ...queue, purgedAt: now });
  }

  counts(name: string): QueueCounts {
    const now = this.#deps.clock.now();
    const messages = this.#messagesOf(name);
    const hidden = messages.filter(({ visibleAt }) => visibleAt > now);
    const delayed = hidden.filter(({ receives }) => receives === 0).length;
    return { visible: messages.length - hidden.length, inFlight: hidden.length - delayed, delayed };
  }

  /** A FIFO queue that has got the message before answers with that one. */
  send(name: string, { fifo, ...sent }: Sent): Message {
    if (fifo === undefined) return this.#put(name, sent);
    const now = this.#deps.clock.now();
    const key = deduplicationKey(name, this.get(name).attributes, fifo);
    const known = this.#deduplication.find(key, now);
    if (known !== undefined) return known;
    const message = this.#put(name, sent, { ...fifo, sequence: this.#deduplication.nextSequence(name) });
    this.#deduplication.keep(key, message, now);
    return message;
  }

  #put(name: string, { delaySeconds, ...sent }: Omit<Sent, 'fifo'>, fifo?: FifoPlace): Message {
    const queue = this.get(name);
    const sentAt = this.#deps.clock.now();
    const delayMs = (delaySeconds ?? Number(queue.attributes['DelaySeconds'])) * 1000;
    const id = this.#deps.random.uuid();
    const visibleAt = instant(sentAt + delayMs);
    const message = { ...sent, ...(fifo && { fifo }), id, queue: name, sentAt, visibleAt, receives: 0 };
    this.#messages.set(id, message);
    this.#tell();
    return message;
  }

  /** Puts a message of an AWS service into a queue, by its ARN. A queue that does not exist is no error. */
  deliver(arn: string, body: string): void {
    const queue = this.all().find(({ name }) => this.arnOf(name) === arn);
    if (queue !== undefined) this.send(queue.name, { body, sender: 'AIDASANDBOXEVENTS0001' });
  }

  /** Receives the oldest visible messages. They are invisible to other receivers for a while. */
  receive(name: string, { most, visibilitySeconds }: ReceiveOptions): readonly Message[] {
    const queue = this.get(name);
    this.#redrive(queue);
    const now = this.#deps.clock.now();
    const visibleAt = instant(now + (visibilitySeconds ?? Number(queue.attributes['VisibilityTimeout'])) * 1000);
    return this.#visible(name)
      .slice(0, most)
      .map((message) => {
        const taken = { firstReceivedAt: now, ...message, visibleAt, receives: message.receives + 1 };
        this.#messages.set(message.id, taken);
        return taken;
      });
  }

  /** Resolves when a message may be received, when the queue is gone, or at the instant of the clock. */
  async untilReceivable(name: string, due: Instant, { clock, signal }: ReceiveWait): Promise<void> {
    while (clock.now() < due && this.#queues.has(name) && this.#visible(name).length === 0) {
      await waitUntil(due, {
        clock,
        signal,
        wakers: this.#waiting,
        own: this.#deps.clock,
        next: this.#nextVisible(name),
      });
    }
  }

  /** A handle of an earlier receive deletes nothing. */
  deleteMessage(name: string, handle: string): void {
    this.get(name);
    const message = this.#received(name, handle);
    if (message === undefined) return;
    this.#messages.delete(message.id);
    if (message.fifo !== undefined) this.#tell();
  }

  /** @throws AwsError when the message is not in flight */
  changeVisibility(name: string, handle: string, seconds: number): void {
    this.get(name);
    const now = this.#deps.clock.now();
    const message = this.#received(name, handle);
    if (message === undefined || message.visibleAt <= now) throw notInFlight(handle);
    this.#messages.set(message.id, { ...message, visibleAt: instant(now + seconds * 1000) });
    this.#tell();
  }

  #received(name: string, handle: string): Message | undefined {
    if (handle === '') throw badReceiptHandle(handle);
    const { id, receives } = readReceiptHandle(handle, name);
    const message = this.#messages.get(id);
    return message?.receives === receives ? message : undefined;
  }

  #visible(name: string): readonly Message[] {
    const now = this.#deps.clock.now();
    const messages = this.#messagesOf(name);
    return isFifoName(name) ? listReceivable(messages, now) : messages.filter(({ visibleAt }) => visibleAt <= now);
  }

  #nextVisible(name: string): Instant | undefined {
    const [next] = this.#messagesOf(name).toSorted(byNumberOf(({ visibleAt }) => visibleAt));
    return next?.visibleAt;
  }

  /** In the order in which they were sent; what is too old is forgotten. */
  #messagesOf(name: string): readonly Message[] {
    const retentionMs = Number(this.#queues.get(name)?.attributes['MessageRetentionPeriod'] ?? 0) * 1000;
    const now = this.#deps.clock.now();
    const messages = [...this.#messages.values()].filter(({ queue }) => queue === name);
    const old = messages.filter(({ sentAt }) => now >= sentAt + retentionMs);
    for (const { id } of old) this.#messages.delete(id);
    return old.length === 0 ? messages : messages.filter(({ id }) => this.#messages.has(id));
  }

  /** What was received too often goes to the dead-letter queue instead. */
  #redrive({ name, attributes }: Queue): void {
    const policy = JSON.parse(attributes['RedrivePolicy'] ?? '{}') as RedrivePolicy;
    const { deadLetterTargetArn: target, maxReceiveCount: most } = policy;
    const dead = this.all().find((queue) => this.arnOf(queue.name) === target);
    if (dead === undefined || most === undefined) return;
    for (const message of this.#visible(name)) {
      if (message.receives >= Number(most)) this.#messages.set(message.id, { ...message, queue: dead.name });
    }
  }

  /** SQS writes the policy of a dead-letter queue in its own form. @throws AwsError without that queue */
  #withRedrive(name: string, attributes: QueueAttributes): QueueAttributes {
    const { RedrivePolicy: text = '' } = attributes;
    if (text === '') return attributes;
    const { deadLetterTargetArn: target = '', maxReceiveCount: most, ...rest } = JSON.parse(text) as RedrivePolicy;
    if (!this.all().some((queue) => this.arnOf(queue.name) === target))
      throw badValue('RedrivePolicy', text, 'Dead letter target does not exist.');
    if (!(Number(most) >= 1 && Number(most) <= 1000))
      throw badValue('RedrivePolicy', text, 'Invalid value for maxReceiveCount. Must be between 1 and 1000.');
    if (isFifoName(target) !== isFifoName(name))
      throw badValue('RedrivePolicy', text, 'Dead-letter queue must be same type of queue as the source.');
    const written = { deadLetterTargetArn: target, maxReceiveCount: Number(most), ...rest };
    return { ...attributes, RedrivePolicy: JSON.stringify(written) };
  }

  #empty(name: string): void {
    for (const { id } of this.#messagesOf(name)) this.#messages.delete(id);
  }

  #keep(queue: Queue): Queue {
    this.#queues.set(queue.name, queue);
    return queue;
  }

  #tell(): void {
    for (const wake of this.#waiting) wake();
  }
}

/** The clock by which a receiver waits, and the signal that the receiver has gone. */
export type ReceiveWait = { readonly clock: Clock; readonly signal: AbortSignal };

type RedrivePolicy = { readonly deadLetterTargetArn?: string; readonly maxReceiveCount?: number | string };

/** @returns whether it is a FIFO queue. @throws AwsError for a name that such a queue cannot have */
function checkQueueName(name: string, { FifoQueue }: QueueAttributes): boolean {
  if (FifoQueue === 'true' && !/^[\w-]{1,75}\.fifo$/.test(name)) throw badFifoName();
  if (FifoQueue !== 'true' && !/^[\w-]{1,80}$/.test(name)) throw badName();
  return FifoQueue === 'true';
}

function sameQueue(found: Queue, attributes: QueueAttributes): Queue {
  const other = Object.entries(attributes).find(([name, value]) => readOwn(found.attributes, name) !== value);
  if (other !== undefined) throw queueExists(other[0]);
  return found;
}
