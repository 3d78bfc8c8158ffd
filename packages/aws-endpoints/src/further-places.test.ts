import { expect, test } from 'vitest';
import type { HttpRequest } from '@nodewright/runtime';
import { anEc2 } from '@nodewright/testkit/worlds';
import { decodeBodyText } from './codec/protocol.ts';

async function describeVpcsIn(region: string): Promise<string> {
  const { aws } = await anEc2();
  const request: HttpRequest = {
    method: 'POST',
    path: '/',
    headers: {
      host: 'localhost',
      'content-type': 'application/x-www-form-urlencoded',
      'x-amz-date': '20240128T160000Z',
      authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20240128/${region}/ec2/aws4_request, SignedHeaders=host, Signature=${'0'.repeat(64)}`,
    },
    body: new TextEncoder().encode('Action=DescribeVpcs&Version=2016-11-15'),
  };
  const { body } = await aws.handle(request, new AbortController().signal);
  return decodeBodyText(body as Uint8Array);
}

for (const { region, has } of [
  { region: 'us-east-1', has: '<cidrBlock>192.168.0.0/16</cidrBlock>' },
  { region: 'eu-west-1', has: '<cidrBlock>172.31.0.0/16</cidrBlock>' },
  { region: 'eu-moon-1', has: '<Code>AuthFailure</Code>' },
]) {
  test(`a request signed for ${region} is answered from there`, async () => {
    expect(await describeVpcsIn(region)).toContain(has);
  });
}
