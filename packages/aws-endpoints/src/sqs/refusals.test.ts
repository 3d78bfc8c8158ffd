import { expect, test } from 'vitest';
import { aTestAccount, never } from '@nodewright/testkit/worlds';

function aCaller() {
  const { aws } = aTestAccount();
  const call = (operation: string, input: object) =>
    aws.answer({ service: 'sqs', operation, input }, { signal: never, serving: { wait: (work) => work() } });
  return { call, queues: aws.queues };
}

for (const { what, operation, input, code } of [
  { what: 'a tag without any', operation: 'TagQueue', input: { Tags: {} }, code: 'MissingParameter' },
  { what: 'untagging nothing', operation: 'UntagQueue', input: { TagKeys: [] }, code: 'InvalidParameterValue' },
  {
    what: 'more tags than a queue may have',
    operation: 'TagQueue',
    input: { Tags: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, 'v'])) },
    code: 'InvalidParameterValue',
  },
  {
    what: 'an attribute with a letter that no name has',
    operation: 'SendMessage',
    input: { MessageBody: 'a', MessageAttributes: { ö: { DataType: 'String', StringValue: 'a' } } },
    code: 'InvalidParameterValue',
  },
  {
    what: 'an attribute of a type that is none',
    operation: 'SendMessage',
    input: { MessageBody: 'a', MessageAttributes: { a: { DataType: 'Text', StringValue: 'a' } } },
    code: 'InvalidParameterValue',
  },
  {
    what: 'a dead-letter queue that is not there',
    operation: 'SetQueueAttributes',
    input: {
      Attributes: { RedrivePolicy: '{"deadLetterTargetArn":"arn:aws:sqs:us-east-1:1:no","maxReceiveCount":1}' },
    },
    code: 'InvalidParameterValue',
  },
  {
    what: 'a batch that is too long',
    operation: 'SendMessageBatch',
    input: { Entries: [{ Id: 'a', MessageBody: 'b'.repeat(1_048_577) }] },
    code: 'BatchRequestTooLong',
  },
  {
    what: 'a batch of nothing',
    operation: 'SendMessageBatch',
    input: { Entries: [] },
    code: 'EmptyBatchRequest',
  },
]) {
  test(`SQS refuses ${what}`, async () => {
    const { call } = aCaller();
    await call('CreateQueue', { QueueName: 'work' });
    expect(await call(operation, { QueueUrl: 'work', ...input })).toMatchObject({ kind: 'refused', code });
  });
}

test('the count of receives in a policy of dead letters is told as a number', async () => {
  const { call, queues } = aCaller();
  await call('CreateQueue', { QueueName: 'dead' });
  const deadLetterTargetArn = queues.arnOf('dead');
  const RedrivePolicy = JSON.stringify({ deadLetterTargetArn, maxReceiveCount: '3' });
  await call('CreateQueue', { QueueName: 'live', Attributes: { RedrivePolicy } });
  expect(await call('GetQueueAttributes', { QueueUrl: 'live', AttributeNames: ['RedrivePolicy'] })).toMatchObject({
    output: { Attributes: { RedrivePolicy: JSON.stringify({ deadLetterTargetArn, maxReceiveCount: 3 }) } },
  });
});
