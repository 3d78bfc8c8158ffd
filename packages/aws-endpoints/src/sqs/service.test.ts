import { createHash } from 'node:crypto';
import {
  ChangeMessageVisibilityBatchCommand,
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  DeleteMessageCommand,
  DeleteQueueCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListQueuesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  type ReceiveMessageCommandInput,
  SendMessageBatchCommand,
  SendMessageCommand,
  SetQueueAttributesCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { seededRandom, LineLedger } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { keptIn, MemoryJournal } from '@nodewright/testkit';
import { aTestAccount, inProcess } from '@nodewright/testkit/worlds';
import { Queues } from './queues.ts';

const account = { id: '111122223333', region: 'us-east-1' };

async function aQueue(name = 'work', attributes: Record<string, string> = {}) {
  const { aws, clock } = aTestAccount();
  const sqs = new SQSClient(inProcess(aws.handle));
  const { QueueUrl: url = '' } = await sqs.send(new CreateQueueCommand({ QueueName: name, Attributes: attributes }));
  const send = (MessageBody: string) => sqs.send(new SendMessageCommand({ QueueUrl: url, MessageBody }));
  const receive = async (input: Partial<ReceiveMessageCommandInput> = {}) =>
    (await sqs.send(new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: 10, ...input }))).Messages ?? [];
  const bodies = async (input = {}) => (await receive(input)).map(({ Body }) => Body);
  const counts = async () => {
    const asked = new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] });
    const { Attributes: told = {} } = await sqs.send(asked);
    const { ApproximateNumberOfMessages: visible, ApproximateNumberOfMessagesNotVisible: hidden } = told;
    return [visible, hidden, told.ApproximateNumberOfMessagesDelayed].join(' ');
  };
  return { aws, clock, sqs, url, send, receive, bodies, counts };
}

const refusal = async (work: Promise<unknown>) => {
  const error = (await work.then(
    () => undefined,
    (failure: unknown) => failure,
  )) as Error & { Code?: string };
  return { name: error.name, code: error.Code, message: error.message };
};

test('a queue named as the cluster is there from the start, and keeps messages for five minutes', async () => {
  const { aws } = aTestAccount();
  const sqs = new SQSClient(inProcess(aws.handle));
  const { QueueUrl } = await sqs.send(new GetQueueUrlCommand({ QueueName: 'my-cluster' }));
  expect(QueueUrl).toBe('http://sandbox.invalid/111122223333/my-cluster');
  const told = await sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] }));
  expect(told.Attributes).toMatchObject({
    QueueArn: 'arn:aws:sqs:us-east-1:111122223333:my-cluster',
    MessageRetentionPeriod: '300',
    SqsManagedSseEnabled: 'true',
    VisibilityTimeout: '30',
    CreatedTimestamp: '1706457600',
  });
  aws.queues.deliver('arn:aws:sqs:us-east-1:111122223333:my-cluster', '{"a":1}');
  aws.queues.deliver('arn:aws:sqs:us-east-1:111122223333:nobody', '{"a":2}');
  const { Messages = [] } = await sqs.send(new ReceiveMessageCommand({ QueueUrl }));
  expect(Messages.map(({ Body }) => Body)).toEqual(['{"a":1}']);
});

test('WIRE-8: the SDK finds the checksums it expects, of bodies and of attributes', async () => {
  const { sqs, url, receive } = await aQueue();
  const body = 'zwölf – 十二';
  const sent = await sqs.send(
    new SendMessageCommand({
      QueueUrl: url,
      MessageBody: body,
      MessageAttributes: {
        b: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
        a: { DataType: 'String', StringValue: 'x' },
      },
    }),
  );
  const [message] = await receive({ MessageAttributeNames: ['All'], MessageSystemAttributeNames: ['All'] });
  expect(message?.MD5OfBody).toBe(createHash('md5').update(body).digest('hex'));
  expect(message?.MD5OfMessageAttributes).toBe(sent.MD5OfMessageAttributes);
  expect(message?.MessageAttributes).toEqual({
    a: { DataType: 'String', StringValue: 'x' },
    b: { DataType: 'Binary', BinaryValue: new Uint8Array([1, 2]) },
  });
  expect(message?.Attributes).toMatchObject({ ApproximateReceiveCount: '1', SentTimestamp: '1706457600000' });
});

describe('a received message', () => {
  test('is hidden for its visibility timeout, and comes again with another handle', async () => {
    const { clock, send, receive, counts } = await aQueue();
    await send('one');
    const [first] = await receive({ VisibilityTimeout: 20 });
    expect(await receive()).toEqual([]);
    expect(await counts()).toBe('0 1 0');
    await clock.advance(20_000);
    const [second] = await receive({ MessageSystemAttributeNames: ['ApproximateReceiveCount'] });
    expect(second).toMatchObject({ Body: 'one', Attributes: { ApproximateReceiveCount: '2' } });
    expect(second?.ReceiptHandle).not.toBe(first?.ReceiptHandle);
  });

  test('is deleted by its latest handle only', async () => {
    const { clock, sqs, url, send, receive, counts } = await aQueue();
    await send('one');
    const [first] = await receive();
    await clock.advance(30_000);
    const [second] = await receive();
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle }));
    expect(await counts()).toBe('0 1 0');
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: second?.ReceiptHandle }));
    await sqs.send(new DeleteMessageCommand({ QueueUrl: url, ReceiptHandle: second?.ReceiptHandle }));
    expect(await counts()).toBe('0 0 0');
  });

  test('may be hidden for longer, or shown at once, until it shows itself', async () => {
    const { clock, sqs, url, send, receive, bodies } = await aQueue();
    const change = (ReceiptHandle = '', VisibilityTimeout = 0) =>
      sqs.send(new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle, VisibilityTimeout }));
    await send('one');
    const [first] = await receive();
    await change(first?.ReceiptHandle, 100);
    await clock.advance(99_000);
    expect(await bodies()).toEqual([]);
    await change(first?.ReceiptHandle, 0);
    expect(await bodies()).toEqual(['one']);
    await clock.advance(30_000);
    expect((await refusal(change(first?.ReceiptHandle, 5))).name).toBe('MessageNotInflight');
  });

  test('is forgotten after the retention period', async () => {
    const { clock, send, bodies } = await aQueue('short', { MessageRetentionPeriod: '60' });
    await send('one');
    await clock.advance(60_000);
    expect(await bodies()).toEqual([]);
  });

  test('goes to the dead-letter queue when it was received too often', async () => {
    const { clock, sqs, url, send, bodies } = await aQueue();
    const dead = await sqs.send(new CreateQueueCommand({ QueueName: 'dead' }));
    const deadLetterTargetArn = 'arn:aws:sqs:us-east-1:111122223333:dead';
    const policy = { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 2 }) };
    await sqs.send(new SetQueueAttributesCommand({ QueueUrl: url, Attributes: policy }));
    await send('poison');
    for (const expected of [['poison'], ['poison'], []]) {
      expect(await bodies()).toEqual(expected);
      await clock.advance(30_000);
    }
    expect(await bodies({ QueueUrl: dead.QueueUrl })).toEqual(['poison']);
  });
});

describe('a long poll', () => {
  test('is answered when a message comes', async () => {
    const { clock, send, bodies } = await aQueue();
    const waiting = bodies({ WaitTimeSeconds: 20 });
    clock.at((clock.now() + 5_000) as never, () => void send('late'));
    await clock.advance(5_000);
    expect(await waiting).toEqual(['late']);
  });

  test('is answered with nothing when its time is over', async () => {
    const { clock, bodies } = await aQueue();
    let answer: unknown;
    void bodies({ WaitTimeSeconds: 20 }).then((each) => (answer = each));
    await clock.advance(19_999);
    expect(answer).toBeUndefined();
    await clock.advance(1);
    await Promise.resolve();
    expect(answer).toEqual([]);
  });

  test('is answered when a hidden message shows itself again', async () => {
    const { clock, send, receive, bodies } = await aQueue();
    await send('one');
    await receive({ VisibilityTimeout: 7 });
    const waiting = bodies({ WaitTimeSeconds: 20 });
    await clock.advance(7_000);
    expect(await waiting).toEqual(['one']);
  });

  test('takes the wait of its queue, and ends with the queue', async () => {
    const { clock, sqs, url, bodies } = await aQueue('patient', { ReceiveMessageWaitTimeSeconds: '20' });
    const waiting = refusal(bodies());
    await clock.advance(3_000);
    await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
    expect(await waiting).toMatchObject({ name: 'QueueDoesNotExist' });
  });

  test('that finds nothing stands in the record of calls once, until something else is called', async () => {
    const { aws, clock, bodies, counts } = await aQueue();
    for (let poll = 0; poll < 3; poll += 1) {
      const waiting = bodies({ WaitTimeSeconds: 20 });
      await clock.advance(20_000);
      await waiting;
    }
    await counts();
    await bodies();
    const recorded = aws.calls().map(({ operation }) => operation);
    expect(recorded).toEqual(['CreateQueue', 'ReceiveMessage', 'GetQueueAttributes', 'ReceiveMessage']);
  });

  test('is refused at once where a fault says so', async () => {
    const { aws, bodies } = await aQueue();
    aws.faults.add({ kind: 'deny', service: 'sqs', operation: 'ReceiveMessage' });
    expect(await refusal(bodies({ WaitTimeSeconds: 20 }))).toMatchObject({ name: 'AccessDenied' });
  });
});

test('batches succeed and fail entry by entry', async () => {
  const { sqs, url, receive } = await aQueue();
  const sent = await sqs.send(
    new SendMessageBatchCommand({
      QueueUrl: url,
      Entries: [
        { Id: 'a', MessageBody: 'one' },
        { Id: 'b', MessageBody: 'two' },
        { Id: 'c', MessageBody: '\u0000' },
      ],
    }),
  );
  expect(sent.Successful?.map(({ Id }) => Id)).toEqual(['a', 'b']);
  expect(sent.Failed).toMatchObject([{ Id: 'c', Code: 'InvalidMessageContents', SenderFault: true }]);
  const [one, two] = await receive();
  const Entries = [
    { Id: 'one', ReceiptHandle: one?.ReceiptHandle, VisibilityTimeout: 0 },
    { Id: 'two', ReceiptHandle: 'nonsense', VisibilityTimeout: 0 },
  ];
  const shown = await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries }));
  expect([shown.Successful?.length, shown.Failed?.[0]?.Code]).toEqual([1, 'ReceiptHandleIsInvalid']);
  const again = [{ Id: 'two', ReceiptHandle: two?.ReceiptHandle }];
  const deleted = await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: again }));
  expect(deleted.Successful?.map(({ Id }) => Id)).toEqual(['two']);
  expect((await receive()).map(({ Body }) => Body)).toEqual(['one']);
});

test('queues are listed by prefix and page', async () => {
  const { sqs } = await aQueue('b-2');
  for (const QueueName of ['b-1', 'b-3']) await sqs.send(new CreateQueueCommand({ QueueName }));
  const first = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: 'b-', MaxResults: 2 }));
  expect(first.QueueUrls?.map((url) => url.split('/').at(-1))).toEqual(['b-1', 'b-2']);
  const second = await sqs.send(
    new ListQueuesCommand({ QueueNamePrefix: 'b-', MaxResults: 2, NextToken: first.NextToken }),
  );
  expect(second.QueueUrls?.map((url) => url.split('/').at(-1))).toEqual(['b-3']);
});

describe('refusals', () => {
  test.each<readonly [string, Record<string, string>, string]>([
    ['work', { VisibilityTimeout: '31' }, 'QueueNameExists'],
    ['other', { VisibilityTimeout: '43201' }, 'InvalidAttributeValue'],
    ['other', { Colour: 'red' }, 'InvalidAttributeName'],
    ['other', { RedrivePolicy: 'no json' }, 'InvalidAttributeValue'],
    ['other.fifo', {}, 'InvalidParameterValue'],
    ['a b', {}, 'InvalidParameterValue'],
  ])('creating %s with %o is refused as %s', async (QueueName, Attributes, expected) => {
    const { sqs } = await aQueue();
    expect((await refusal(sqs.send(new CreateQueueCommand({ QueueName, Attributes })))).name).toBe(expected);
  });

  test('a queue that is not there is refused by the name of today and by that of old', async () => {
    const { sqs } = await aQueue();
    expect(await refusal(sqs.send(new GetQueueUrlCommand({ QueueName: 'none' })))).toEqual({
      name: 'QueueDoesNotExist',
      code: 'AWS.SimpleQueueService.NonExistentQueue',
      message: 'The specified queue does not exist.',
    });
  });

  test('a deleted name is free, and a purge possible again, after a minute', async () => {
    const { clock, sqs, url, send, counts } = await aQueue();
    await send('one');
    const purge = () => sqs.send(new PurgeQueueCommand({ QueueUrl: url }));
    await purge();
    expect(await counts()).toBe('0 0 0');
    expect((await refusal(purge())).name).toBe('PurgeQueueInProgress');
    await clock.advance(60_000);
    await purge();
    await sqs.send(new DeleteQueueCommand({ QueueUrl: url }));
    const create = () => sqs.send(new CreateQueueCommand({ QueueName: 'work' }));
    expect((await refusal(create())).name).toBe('QueueDeletedRecently');
    await clock.advance(60_000);
    expect((await create()).QueueUrl).toBe(url);
  });

  test.each<readonly [Partial<ReceiveMessageCommandInput>, string]>([
    [{ MaxNumberOfMessages: 11 }, 'Value 11 for parameter MaxNumberOfMessages is invalid.'],
    [{ WaitTimeSeconds: 21 }, 'Value 21 for parameter WaitTimeSeconds is invalid.'],
    [{ VisibilityTimeout: -1 }, 'Value -1 for parameter VisibilityTimeout is invalid.'],
  ])('receiving with %o is refused', async (input, expected) => {
    const { receive } = await aQueue();
    expect((await refusal(receive(input))).message).toContain(expected);
  });
});

test('queues and messages, received or not, are there after a restart', () => {
  const { clock } = aTestAccount();
  const journal = new MemoryJournal();
  const aLedger = () => new LineLedger({ kept: keptIn(journal.lines), now: () => clock.now(), journal });
  const queuesWith = (ledger: LineLedger) => new Queues({ clock, account, ledger, random: seededRandom(1) });
  const before = queuesWith(aLedger());
  before.create('work', {});
  for (const body of ['one', 'two']) before.send('work', { body, sender: 'A' });
  before.receive('work', { most: 1 });
  const after = queuesWith(aLedger());
  expect(after.isNew).toBe(false);
  expect(after.counts('work')).toEqual({ visible: 1, inFlight: 1, delayed: 0 });
  expect(after.receive('work', { most: 10 }).map(({ body }) => body)).toEqual(['two']);
});
