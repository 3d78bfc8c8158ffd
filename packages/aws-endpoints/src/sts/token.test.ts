import { expect, test } from 'vitest';
import { userOfToken } from './token.ts';

const token = (url: string): string => `k8s-aws-v1.${Buffer.from(url).toString('base64url')}`;
const presigned =
  'https://sts.us-east-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15&X-Amz-Algorithm=AWS4-HMAC-SHA256' +
  '&X-Amz-Credential=AKIA%2F20240128%2Fus-east-1%2Fsts%2Faws4_request&X-Amz-Expires=60&X-Amz-SignedHeaders=host%3Bx-k8s-aws-id&X-Amz-Signature=0';

test('the bearer of a presigned caller identity is a cluster admin', () => {
  expect(userOfToken(token(presigned))?.groups).toContain('system:masters');
});

for (const { fact, text } of [
  { fact: 'without the prefix', text: presigned },
  { fact: 'that is no URL', text: token('hello') },
  { fact: 'of another action', text: token(presigned.replace('GetCallerIdentity', 'GetSessionToken')) },
  { fact: 'that names no cluster', text: token(presigned.replace('%3Bx-k8s-aws-id', '')) },
]) {
  test(`a token ${fact} is nobody's`, () => {
    expect(userOfToken(text)).toBeUndefined();
  });
}
