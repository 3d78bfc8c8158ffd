import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm';
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts';
import { expect, test } from 'vitest';
import { inProcess, aTestAccount } from '@nodewright/testkit/worlds';

test('WIRE-1: whoever signs is the administrator of the account', async () => {
  const sts = new STSClient(inProcess(aTestAccount().aws.handle));
  expect(await sts.send(new GetCallerIdentityCommand({}))).toMatchObject({
    Account: '111122223333',
    Arn: 'arn:aws:iam::111122223333:user/sandbox-admin',
    $metadata: { httpStatusCode: 200, requestId: expect.stringMatching(/^[0-9a-f-]{36}$/) },
  });
});

test('a presigned question is answered, as tokens carry it', async () => {
  const credential = encodeURIComponent('AKIA/20240128/us-east-1/sts/aws4_request');
  const path = `/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Credential=${credential}&X-Amz-Signature=0`;
  const request = { method: 'GET', path, headers: {}, body: new Uint8Array() };
  const { status, body } = await aTestAccount().aws.handle(request, new AbortController().signal);
  expect(status).toBe(200);
  expect(Buffer.from(body as Uint8Array).toString()).toContain('<Account>111122223333</Account>');
});

for (const { sent, path, headers, body } of [
  { sent: 'a form by its version', path: '/', headers: {}, body: 'Action=GetCallerIdentity&Version=2011-06-15' },
  {
    sent: 'JSON by its target',
    path: '/',
    headers: { 'x-amz-target': 'AmazonSSM.GetParameters' },
    body: '{"Names":["/none"]}',
  },
]) {
  test(`WIRE-1, WIRE-14: without a signature ${sent} finds its service`, async () => {
    const request = { method: 'POST', path, headers, body: Buffer.from(body) };
    expect((await aTestAccount().aws.handle(request, new AbortController().signal)).status).toBe(200);
  });
}

test('without a signature a path of EKS finds its service', async () => {
  const request = { method: 'GET', path: '/clusters/my-cluster', headers: {}, body: new Uint8Array() };
  expect((await aTestAccount().aws.handle(request, new AbortController().signal)).status).toBe(200);
});

test('every call is kept in order with its input and how it ended', async () => {
  const { aws, clock } = aTestAccount();
  const options = inProcess(aws.handle);
  await new STSClient(options).send(new GetCallerIdentityCommand({}));
  await expect(new SSMClient(options).send(new GetParameterCommand({ Name: '/none' }))).rejects.toThrow();
  expect(aws.calls(1)).toEqual([
    {
      number: 2,
      time: clock.now(),
      service: 'ssm',
      operation: 'GetParameter',
      input: { Name: '/none' },
      outcome: { kind: 'refused', code: 'ParameterNotFound', message: '' },
    },
  ]);
  expect(aws.calls().map(({ operation }) => operation)).toEqual(['GetCallerIdentity', 'GetParameter']);
});

test('a throttled service refuses as many calls as the fault says', async () => {
  const { aws } = aTestAccount();
  const sts = new STSClient(inProcess(aws.handle));
  aws.faults.add({ kind: 'throttle', service: 'sts', times: 1 });
  await expect(sts.send(new GetCallerIdentityCommand({}))).rejects.toMatchObject({ name: 'Throttling' });
  await expect(sts.send(new GetCallerIdentityCommand({}))).resolves.toBeDefined();
  expect(aws.faults.list()).toEqual([]);
});

test('a service that is not there is refused, and the message names those that are', async () => {
  const { aws } = aTestAccount();
  const headers = { authorization: 'AWS4-HMAC-SHA256 Credential=k/20240128/us-east-1/s3/aws4_request' };
  const request = { method: 'GET', path: '/', headers, body: new Uint8Array() };
  const response = await aws.handle(request, new AbortController().signal);
  expect(response.status).toBe(404);
  expect(Buffer.from(response.body as Uint8Array).toString()).toContain(
    'EC2, EKS, EventBridge, FIS, IAM, Pricing, Service Quotas, SQS, SSM and STS',
  );
});

for (const { protocol, path, method, headers, body, status, inBody } of [
  {
    protocol: 'a form',
    path: '/',
    method: 'POST',
    headers: {},
    body: 'Action=GetCallerIdentity&Version=2011-06-15',
    status: 200,
    inBody: /<RequestId>([^<]*)</,
  },
  {
    protocol: 'a form that is refused',
    path: '/',
    method: 'POST',
    headers: {},
    body: 'Action=Nothing&Version=2016-11-15',
    status: 400,
    inBody: /<RequestID>([^<]*)</,
  },
  {
    protocol: 'JSON',
    path: '/',
    method: 'POST',
    headers: { 'x-amz-target': 'AmazonSSM.GetParameters' },
    body: '{"Names":["/none"]}',
    status: 200,
  },
  { protocol: 'a path', path: '/clusters/my-cluster', method: 'GET', headers: {}, body: '', status: 200 },
  { protocol: 'a path that is refused', path: '/clusters/none', method: 'GET', headers: {}, body: '', status: 404 },
]) {
  test(`WIRE-10: the answer to ${protocol} carries its id in a header, and in XML also in its body`, async () => {
    const request = { method, path, headers, body: Buffer.from(body) };
    const answer = await aTestAccount().aws.handle(request, new AbortController().signal);
    const id = answer.headers['x-amzn-requestid'];
    expect([answer.status, id]).toEqual([status, expect.stringMatching(/^[0-9a-f-]{36}$/)]);
    const told = inBody?.exec(Buffer.from(answer.body as Uint8Array).toString())?.[1];
    expect(told).toBe(inBody === undefined ? undefined : id);
  });
}

const long = 'a'.repeat(3 * 1024 * 1024);
const form = 'Action=GetCallerIdentity&Version=2011-06-15';
const ofSsm = { 'x-amz-target': 'AmazonSSM.GetParameters' };
test.each([
  { fact: 'a form', path: '/', headers: {}, body: `${form}&A=${long}`, told: '<Code>RequestEntityTooLarge</Code>' },
  { fact: 'JSON', path: '/', headers: ofSsm, body: `"${long}"`, told: '"__type":"RequestEntityTooLarge"' },
  { fact: 'a path', path: `/clusters/${'a'.repeat(70_000)}`, headers: {}, body: '', told: '"message":"A request has' },
])('$fact has a limited length, and its protocol says so', async ({ path, headers, body, told }) => {
  const request = { method: 'POST', path, headers, body: Buffer.from(body) };
  const answer = await aTestAccount().aws.handle(request, new AbortController().signal);
  expect(answer.status).toBe(413);
  expect(Buffer.from(answer.body as Uint8Array).toString()).toContain(told);
});
