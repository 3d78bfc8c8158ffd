import { aTestAccount } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';

const signedFor = (service: string) => ({
  authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20240128/us-east-1/${service}/aws4_request`,
});
const form = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };

for (const { asked, path = '/', method = 'POST', headers, body = '', told } of [
  {
    asked: 'a form',
    headers: { ...form, ...signedFor('cloudformation') },
    body: 'Action=ListStacks&Version=2010-05-15',
    told: /^<\?xml.*\n<ErrorResponse><Error><Type>Sender<\/Type><Code>UnknownOperationException<\/Code>.* is for cloudformation\./,
  },
  {
    asked: 'S3',
    method: 'GET',
    headers: signedFor('s3'),
    told: /^<\?xml.*\n<Error><Code>UnknownOperationException<\/Code><Message>The sandbox serves/,
  },
  {
    asked: 'a REST service that answers XML',
    method: 'GET',
    path: '/2013-04-01/hostedzone',
    headers: signedFor('route53'),
    told: /<ErrorResponse>.* is for route53\./,
  },
  {
    asked: 'JSON with a target',
    headers: { 'content-type': 'application/x-amz-json-1.0', 'x-amz-target': 'Db.List', ...signedFor('dynamodb') },
    body: '{}',
    told: /^\{"__type":"UnknownOperationException"/,
  },
  {
    asked: 'JSON by its path',
    method: 'GET',
    path: '/2015-03-31/functions',
    headers: signedFor('lambda'),
    told: /^\{"message":"The sandbox serves/,
  },
]) {
  test(`a service that the sandbox does not have is refused in its protocol: ${asked}`, async () => {
    const request = { method, path, headers, body: Buffer.from(body) };
    const answer = await aTestAccount().aws.handle(request, new AbortController().signal);
    expect(answer.status).toBe(404);
    expect(Buffer.from(answer.body as Uint8Array).toString()).toMatch(told);
  });
}
