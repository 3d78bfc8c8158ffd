import { fromTimestamp, instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { presignToken, testAccessKey } from '@nodewright/testkit/worlds';
import { readClusterToken } from './token.ts';

const at = fromTimestamp('2024-01-28T16:00:00Z');
const minute = 60_000;

const readAt = (token: string, now = at) =>
  readClusterToken(token, { accessKey: testAccessKey, now, clusterName: 'my-cluster' });

test('the bearer of a presigned caller identity is a cluster admin for 15 minutes', async () => {
  const token = await presignToken({ at });
  expect(readAt(token)?.groups).toContain('system:masters');
  expect(readAt(token, instant(at + 15 * minute))).toBeDefined();
  expect(readAt(token, instant(at + 15 * minute + 1))).toBeUndefined();
});

for (const { fact, options } of [
  { fact: 'of another action', options: { action: 'GetSessionToken' } },
  { fact: 'that names no cluster', options: { clusterName: '' } },
  { fact: 'for another cluster', options: { clusterName: 'other' } },
  { fact: 'signed with another secret', options: { accessKey: { ...testAccessKey, secretAccessKey: 'other' } } },
  { fact: 'signed with another key', options: { accessKey: { ...testAccessKey, accessKeyId: 'AKIAOTHER' } } },
]) {
  test(`a token ${fact} is nobody's`, async () => {
    expect(readAt(await presignToken({ at, ...options }))).toBeUndefined();
  });
}

test('a token without the prefix, or that is no URL, is nobody’s', async () => {
  expect(readAt((await presignToken({ at })).replace('k8s-aws-v1.', ''))).toBeUndefined();
  expect(readAt(`k8s-aws-v1.${Buffer.from('hello').toString('base64url')}`)).toBeUndefined();
});

test('without a key of the account no token is valid', async () => {
  const token = await presignToken({ at });
  expect(readClusterToken(token, { accessKey: undefined, now: at, clusterName: 'my-cluster' })).toBeUndefined();
});
