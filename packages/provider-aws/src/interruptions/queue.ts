import { DeleteMessageCommand, GetQueueUrlCommand, type Message, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import type { QueuedMessage } from '@nodewright/ports';
import { isAwsNotFound } from '../calls/error-codes.ts';
import type { AwsContext } from '../context.ts';
import { parseMessage } from './parse-message.ts';

/** How long SQS holds an empty answer back, and how long a received message stays hidden from other receivers: both in seconds. */
const usualWaitSeconds = 20;
const visibleAgainSeconds = 20;

const mostMessagesAtOnce = 10;

/** The queue of interruption messages, by its name. */
export class InterruptionQueue {
  readonly #context: AwsContext;
  readonly #name: string;
  readonly #waitSeconds: number;
  #url: string | undefined;

  constructor(context: AwsContext, name: string, waitSeconds = usualWaitSeconds) {
    this.#context = context;
    this.#name = name;
    this.#waitSeconds = waitSeconds;
  }

  /** @throws the SDK's error when the queue is not there, or may not be read */
  async receive(signal: AbortSignal): Promise<readonly QueuedMessage[]> {
    const request = {
      QueueUrl: await this.#urlOf(signal),
      MaxNumberOfMessages: mostMessagesAtOnce,
      VisibilityTimeout: visibleAgainSeconds,
      WaitTimeSeconds: this.#waitSeconds,
      MessageSystemAttributeNames: ['SentTimestamp' as const],
      MessageAttributeNames: ['All'],
    };
    const { call, clients } = this.#context;
    const receive = call((options) => clients.sqs.send(new ReceiveMessageCommand(request), options), signal);
    const { Messages: messages = [] } = await this.#lookingAgain(receive);
    return messages.map(queuedMessage);
  }

  /** Nothing happens to a message that is gone. */
  async remove({ handle }: QueuedMessage, signal: AbortSignal): Promise<void> {
    const request = { QueueUrl: await this.#urlOf(signal), ReceiptHandle: handle };
    const { call, clients } = this.#context;
    const remove = call((options) => clients.sqs.send(new DeleteMessageCommand(request), options), signal);
    await this.#lookingAgain(remove);
  }

  async #urlOf(signal: AbortSignal): Promise<string> {
    this.#url ??= await this.#lookUp(signal);
    return this.#url;
  }

  async #lookUp(signal: AbortSignal): Promise<string> {
    const { call, clients, log } = this.#context;
    const request = new GetQueueUrlCommand({ QueueName: this.#name });
    const { QueueUrl: url = '' } = await call((options) => clients.sqs.send(request, options), signal);
    log.named('interruption').debug('watching interruption queue', { queue: this.#name });
    return url;
  }

  /** A queue that was made anew may be elsewhere. */
  async #lookingAgain<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (isAwsNotFound(error)) this.#url = undefined;
      throw error;
    }
  }
}

const queuedMessage = ({ ReceiptHandle: handle = '', Body: body = '' }: Message): QueuedMessage => ({
  handle,
  content: parseMessage(body),
});
