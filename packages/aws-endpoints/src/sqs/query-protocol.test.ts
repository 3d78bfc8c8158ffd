import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { aTestAccount } from '@nodewright/testkit/worlds';

function anOldClient() {
  const { aws } = aTestAccount();
  const headers = { host: '127.0.0.1:4566', 'content-type': 'application/x-www-form-urlencoded' };
  const ask = async (form: Readonly<Record<string, string>>) => {
    const body = Buffer.from(new URLSearchParams({ Version: '2012-11-05', ...form }).toString());
    const answer = await aws.handle({ method: 'POST', path: '/', headers, body }, new AbortController().signal);
    return { status: answer.status, xml: Buffer.from(answer.body as Uint8Array).toString() };
  };
  return { aws, ask };
}

const url = 'http://127.0.0.1:4566/111122223333/work';

test('WIRE-2: a client of the query protocol makes a queue, sends, receives and deletes', async () => {
  const { aws, ask } = anOldClient();
  const created = await ask({
    Action: 'CreateQueue',
    QueueName: 'work',
    'Attribute.1.Name': 'VisibilityTimeout',
    'Attribute.1.Value': '7',
    'Tag.1.Key': 'team',
    'Tag.1.Value': 'a',
  });
  expect(created.xml).toContain(`<CreateQueueResult><QueueUrl>${url}</QueueUrl></CreateQueueResult>`);
  expect(aws.queues.get('work')).toMatchObject({ attributes: { VisibilityTimeout: '7' }, tags: { team: 'a' } });
  const attribute = { 'MessageAttribute.1.Name': 'k', 'MessageAttribute.1.Value.DataType': 'String' };
  await ask({
    Action: 'SendMessage',
    QueueUrl: url,
    MessageBody: '<one> & two',
    ...attribute,
    'MessageAttribute.1.Value.StringValue': 'v',
  });
  const received = await ask({
    Action: 'ReceiveMessage',
    QueueUrl: url,
    'AttributeName.1': 'SentTimestamp',
    'MessageAttributeName.1': 'All',
  });
  expect(received.xml).toContain('<Body>&lt;one&gt; &amp; two</Body>');
  expect(received.xml).toContain(`<MD5OfBody>${createHash('md5').update('<one> & two').digest('hex')}</MD5OfBody>`);
  expect(received.xml).toContain('<Attribute><Name>SentTimestamp</Name><Value>1706457600000</Value></Attribute>');
  expect(received.xml).toContain('<MessageAttribute><Name>k</Name><Value><DataType>String</DataType>');
  const [, handle = ''] = /<ReceiptHandle>([^<]+)</.exec(received.xml) ?? [];
  const entry = 'DeleteMessageBatchRequestEntry.1';
  const deleted = await ask({
    Action: 'DeleteMessageBatch',
    QueueUrl: url,
    [`${entry}.Id`]: 'a',
    [`${entry}.ReceiptHandle`]: handle,
  });
  expect(deleted.xml).toContain('<DeleteMessageBatchResultEntry><Id>a</Id></DeleteMessageBatchResultEntry>');
});

test('WIRE-4: it is refused with the codes it knows', async () => {
  const { ask } = anOldClient();
  const { status, xml } = await ask({ Action: 'GetQueueUrl', QueueName: 'none' });
  expect(status).toBe(400);
  expect(xml).toContain('<Type>Sender</Type><Code>AWS.SimpleQueueService.NonExistentQueue</Code>');
});
