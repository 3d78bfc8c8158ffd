import {
  CreateQueueCommand,
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  type SendMessageCommandInput,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { minutes } from '@nodewright/apis';
import { aTestAccount, inProcess } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

async function aFifoQueue(attributes: Record<string, string> = {}) {
  const { aws, clock } = aTestAccount();
  const sqs = new SQSClient(inProcess(aws.handle));
  const Attributes = { FifoQueue: 'true', ContentBasedDeduplication: 'true', ...attributes };
  const { QueueUrl = '' } = await sqs.send(new CreateQueueCommand({ QueueName: 'work.fifo', Attributes }));
  return {
    clock,
    sqs,
    QueueUrl,
    send: (MessageBody: string, MessageGroupId = 'a', more: Partial<SendMessageCommandInput> = {}) =>
      sqs.send(new SendMessageCommand({ QueueUrl, MessageBody, MessageGroupId, ...more })),
    receive: async (MaxNumberOfMessages = 1) =>
      (await sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages, AttributeNames: ['All'] })))
        .Messages ?? [],
    remove: (ReceiptHandle: string | undefined) => sqs.send(new DeleteMessageCommand({ QueueUrl, ReceiptHandle })),
  };
}

const nameOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'answered',
    (error: Error) => error.name,
  );

test('a FIFO queue tells what it has beside a standard one', async () => {
  const { sqs, QueueUrl } = await aFifoQueue({ ContentBasedDeduplication: 'false' });
  const told = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  expect(told.Attributes).toMatchObject({
    FifoQueue: 'true',
    ContentBasedDeduplication: 'false',
    DeduplicationScope: 'queue',
    FifoThroughputLimit: 'perQueue',
  });
});

test('messages of a group come in order, one after the other, and those of another group meanwhile', async () => {
  const { send, receive, remove } = await aFifoQueue();
  for (const [body, group] of [
    ['1', 'a'],
    ['2', 'a'],
    ['3', 'b'],
  ])
    await send(body ?? '', group);
  const [first] = await receive();
  expect(first).toMatchObject({ Body: '1', Attributes: { MessageGroupId: 'a' } });
  expect((await receive()).map(({ Body }) => Body)).toEqual(['3']);
  expect(await receive()).toEqual([]);
  await remove(first?.ReceiptHandle);
  expect((await receive()).map(({ Body }) => Body)).toEqual(['2']);
});

test('a batch has several messages of one group, in order', async () => {
  const { sqs, QueueUrl, receive } = await aFifoQueue();
  const Entries = ['1', '2', '3'].map((Id) => ({ Id, MessageBody: Id, MessageGroupId: 'a' }));
  const { Successful = [] } = await sqs.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
  const numbers = Successful.map(({ SequenceNumber = '' }) => SequenceNumber);
  expect(numbers).toEqual(numbers.toSorted());
  expect(new Set(numbers).size).toBe(3);
  expect((await receive(10)).map(({ Body }) => Body)).toEqual(['1', '2', '3']);
});

test('a message that is sent again within five minutes is the same one, and a new one after that', async () => {
  const { clock, send, receive } = await aFifoQueue();
  const first = await send('same');
  expect(await send('same')).toMatchObject({ MessageId: first.MessageId, SequenceNumber: first.SequenceNumber });
  expect(await send('same', 'b')).toMatchObject({ MessageId: first.MessageId });
  expect(await receive(10)).toHaveLength(1);
  await clock.advance(minutes(5));
  expect((await send('same')).MessageId).not.toBe(first.MessageId);
});

test('each group has messages of its own where the queue says so', async () => {
  const { send } = await aFifoQueue({ DeduplicationScope: 'messageGroup' });
  expect((await send('same', 'b')).MessageId).not.toBe((await send('same', 'a')).MessageId);
});

test('sending refuses what a FIFO queue needs and does not have', async () => {
  const { send } = await aFifoQueue({ ContentBasedDeduplication: 'false' });
  const MessageDeduplicationId = '1';
  expect(await nameOf(send('body'))).toBe('InvalidParameterValue');
  expect(await nameOf(send('body', 'a', { MessageGroupId: undefined, MessageDeduplicationId }))).toBe(
    'MissingParameter',
  );
  expect(await nameOf(send('body', 'a', { DelaySeconds: 5, MessageDeduplicationId }))).toBe('InvalidParameterValue');
  expect(await nameOf(send('body', 'a', { MessageDeduplicationId }))).toBe('answered');
});

test.each<readonly [string, Record<string, string>, string]>([
  ['plain', { FifoQueue: 'true' }, 'InvalidParameterValue'],
  ['plain', { ContentBasedDeduplication: 'true' }, 'InvalidAttributeName'],
  ['other.fifo', { FifoQueue: 'true', DeduplicationScope: 'all' }, 'InvalidAttributeValue'],
  [
    'other.fifo',
    { FifoQueue: 'true', RedrivePolicy: '{"deadLetterTargetArn":"ARN","maxReceiveCount":3}' },
    'InvalidParameterValue',
  ],
])('creating %s with %o is refused as %s', async (QueueName, attributes, expected) => {
  const { sqs } = await aFifoQueue();
  const arn = 'arn:aws:sqs:us-east-1:111122223333:my-cluster';
  const Attributes = Object.fromEntries(
    Object.entries(attributes).map(([key, value]) => [key, value.replace('ARN', arn)]),
  );
  expect(await nameOf(sqs.send(new CreateQueueCommand({ QueueName, Attributes })))).toBe(expected);
});
