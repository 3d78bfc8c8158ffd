import type {
  ChangeMessageVisibilityRequest,
  DeleteMessageRequest,
  Message as ToldMessage,
  MessageAttributeValue,
  ReceiveMessageRequest,
  ReceiveMessageResult,
  SendMessageRequest,
  SendMessageResult,
} from '@aws-sdk/client-sqs';
import { instant } from '@nodewright/apis';
import type { WireStructure } from '../codec/shape.ts';
import { md5OfAttributes, md5OfBody } from './checksums.ts';
import { deduplicationIdOf, isFifoName } from './fifo.ts';
import {
  badAttributeName,
  badAttributeType,
  badContents,
  badValue,
  missingSqsParameter,
  messageTooLong,
  missingDeduplicationId,
  wrongQueueKind,
} from './errors.ts';
import { type Message, type MessageAttribute, receiptHandleOf } from './message.ts';
import { queueNameOf, type SqsModel } from './model.ts';
import type { Queue, Queues, ReceiveWait, Sent } from './queues.ts';

const caller = 'AIDASANDBOXADMIN00001';

type ToSend = Pick<
  SendMessageRequest,
  | 'DelaySeconds'
  | 'MessageAttributes'
  | 'MessageBody'
  | 'MessageDeduplicationId'
  | 'MessageGroupId'
  | 'MessageSystemAttributes'
>;

export const sendMessage = (model: SqsModel, input: SendMessageRequest): SendMessageResult =>
  sendToQueue(model, queueNameOf(input.QueueUrl), input);

/** Checks and sends one message, alone or out of a batch. */
export function sendToQueue({ queues }: SqsModel, queue: string, input: ToSend): SendMessageResult {
  const { MessageBody: body = '', DelaySeconds: delaySeconds } = input;
  const most = Number(queues.get(queue).attributes['MaximumMessageSize']);
  if (body === '') throw missingSqsParameter('MessageBody');
  if (!isAllowedBody(body)) throw badContents();
  if (Buffer.byteLength(body) > most) throw messageTooLong(most);
  if (delaySeconds !== undefined && !(delaySeconds >= 0 && delaySeconds <= 900))
    throw badValue('DelaySeconds', delaySeconds, 'DelaySeconds must be >= 0 and <= 900.');
  const fifo = readFifoPlace(queues.get(queue), input);
  const attributes = readMessageAttributes(input.MessageAttributes);
  const traceHeader = input.MessageSystemAttributes?.AWSTraceHeader?.StringValue;
  const message = queues.send(queue, {
    body,
    sender: caller,
    ...(attributes && { attributes }),
    ...(traceHeader !== undefined && { traceHeader }),
    ...(delaySeconds !== undefined && { delaySeconds }),
    ...(fifo && { fifo }),
  });
  return {
    MessageId: message.id,
    ...(message.fifo && { SequenceNumber: message.fifo.sequence }),
    MD5OfMessageBody: md5OfBody(body),
    ...(attributes && { MD5OfMessageAttributes: md5OfAttributes(attributes) }),
    ...(traceHeader !== undefined && {
      MD5OfMessageSystemAttributes: md5OfAttributes({ AWSTraceHeader: { type: 'String', text: traceHeader } }),
    }),
  };
}

/** Where a message belongs in a FIFO queue. @throws AwsError where it does not say, or says what such a queue does not have */
function readFifoPlace({ name, attributes }: Queue, input: ToSend): Sent['fifo'] {
  const { MessageGroupId: groupId, MessageDeduplicationId: given, DelaySeconds, MessageBody: body = '' } = input;
  if (!isFifoName(name)) {
    if (given !== undefined) throw wrongQueueKind('MessageDeduplicationId', given);
    return undefined;
  }
  if (groupId === undefined) throw missingSqsParameter('MessageGroupId');
  if (DelaySeconds !== undefined && DelaySeconds > 0) throw wrongQueueKind('DelaySeconds', DelaySeconds);
  if (given === undefined && attributes['ContentBasedDeduplication'] !== 'true') throw missingDeduplicationId();
  return { groupId, deduplicationId: given ?? deduplicationIdOf(body) };
}

/** What may stand in XML, which a message had to travel in once. */
const isAllowedBody = (body: string): boolean =>
  /^[\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]*$/u.test(body);

function readMessageAttributes(
  given: Readonly<Record<string, MessageAttributeValue>> = {},
): Readonly<Record<string, MessageAttribute>> | undefined {
  const entries = Object.entries(given).map(([name, { DataType: type = '', StringValue, BinaryValue }]) => {
    if (!/^[\w.-]+$/.test(name)) throw badAttributeName(name);
    if (type === '') throw missingSqsParameter(`MessageAttributes.${name}.DataType`);
    if (!/^(String|Number|Binary)(\.|$)/.test(type)) throw badAttributeType(name);
    const value =
      StringValue === undefined ? { base64: Buffer.from(BinaryValue ?? []).toString('base64') } : { text: StringValue };
    return [name, { type, ...value }] as const;
  });
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}

/** Holds the answer back while there is nothing to receive, for as long as the caller wants to wait. */
export const whenReceivable =
  (queues: Queues) =>
  (input: WireStructure, waiting: ReceiveWait): Promise<void> | undefined => {
    const { QueueUrl: url = '', WaitTimeSeconds: asked } = input as Partial<ReceiveMessageRequest>;
    const queue = queues.find(url.split('/').at(-1) ?? '');
    const seconds = asked ?? Number(queue?.attributes['ReceiveMessageWaitTimeSeconds'] ?? 0);
    if (queue === undefined || !(seconds > 0 && seconds <= 20)) return undefined;
    return queues.untilReceivable(queue.name, instant(waiting.clock.now() + seconds * 1000), waiting);
  };

export function receiveMessage({ queues }: SqsModel, input: ReceiveMessageRequest): ReceiveMessageResult {
  const { MaxNumberOfMessages: most = 1, VisibilityTimeout: visibilitySeconds } = input;
  const queue = queues.get(queueNameOf(input.QueueUrl));
  if (!(most >= 1 && most <= 10)) throw badValue('MaxNumberOfMessages', most, 'Must be between 1 and 10, if provided.');
  checkRange('WaitTimeSeconds', input.WaitTimeSeconds, [0, 20]);
  checkRange('VisibilityTimeout', visibilitySeconds, [0, 43_200]);
  const messages = queues.receive(queue.name, {
    most,
    ...(visibilitySeconds !== undefined && { visibilitySeconds }),
  });
  return messages.length === 0 ? {} : { Messages: messages.map((message) => writeMessage(message, input)) };
}

function checkRange(name: string, value: number | undefined, [least, most]: readonly [number, number]): void {
  if (value === undefined || (value >= least && value <= most)) return;
  throw badValue(name, value, `Must be >= ${least} and <= ${most}, if provided.`);
}

function writeMessage(message: Message, asked: ReceiveMessageRequest): ToldMessage {
  const system = [...(asked.MessageSystemAttributeNames ?? []), ...(asked.AttributeNames ?? [])];
  const own = Object.entries(systemAttributes(message)).filter(([name]) => includes(system, name));
  const given = Object.entries(message.attributes ?? {}).filter(([name]) =>
    includes(asked.MessageAttributeNames ?? [], name),
  );
  return {
    MessageId: message.id,
    ReceiptHandle: receiptHandleOf(message),
    MD5OfBody: md5OfBody(message.body),
    Body: message.body,
    ...(own.length > 0 && { Attributes: Object.fromEntries(own) }),
    ...(given.length > 0 && {
      MD5OfMessageAttributes: md5OfAttributes(Object.fromEntries(given)),
      MessageAttributes: Object.fromEntries(given.map(([name, value]) => [name, toldAttribute(value)])),
    }),
  };
}

const includes = (asked: readonly string[], name: string): boolean =>
  asked.some((each) => each === name || each === 'All' || (each.endsWith('.*') && name.startsWith(each.slice(0, -2))));

const systemAttributes = (message: Message): Readonly<Record<string, string>> => ({
  SenderId: message.sender,
  SentTimestamp: String(message.sentAt),
  ApproximateReceiveCount: String(message.receives),
  ApproximateFirstReceiveTimestamp: String(message.firstReceivedAt ?? message.sentAt),
  ...(message.traceHeader !== undefined && { AWSTraceHeader: message.traceHeader }),
  ...(message.fifo && {
    MessageGroupId: message.fifo.groupId,
    MessageDeduplicationId: message.fifo.deduplicationId,
    SequenceNumber: message.fifo.sequence,
  }),
});

const toldAttribute = ({ type, text, base64 }: MessageAttribute): MessageAttributeValue => ({
  DataType: type,
  ...(text !== undefined && { StringValue: text }),
  ...(base64 !== undefined && { BinaryValue: Buffer.from(base64, 'base64') }),
});

export function deleteMessage({ queues }: SqsModel, input: DeleteMessageRequest): object {
  queues.deleteMessage(queueNameOf(input.QueueUrl), input.ReceiptHandle ?? '');
  return {};
}

type VisibilityChange = Pick<ChangeMessageVisibilityRequest, 'ReceiptHandle' | 'VisibilityTimeout'>;

export function changeVisibility(model: SqsModel, input: ChangeMessageVisibilityRequest): object {
  return changeMessageVisibility(model, queueNameOf(input.QueueUrl), input);
}

/** Changes one message's visibility, alone or out of a batch. */
export function changeMessageVisibility({ queues }: SqsModel, queue: string, input: Partial<VisibilityChange>): object {
  const { ReceiptHandle: handle = '', VisibilityTimeout: seconds } = input;
  if (seconds === undefined) throw missingSqsParameter('VisibilityTimeout');
  checkRange('VisibilityTimeout', seconds, [0, 43_200]);
  queues.changeVisibility(queue, handle, seconds);
  return {};
}
