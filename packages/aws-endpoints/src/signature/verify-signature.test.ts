import { fromTimestamp, instant } from '@nodewright/apis';
import type { HttpRequest } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { verifySignature } from './verify-signature.ts';

/** The example that the documentation of AWS signs step by step. */
const accessKey = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' };
const now = fromTimestamp('2015-08-30T12:36:00Z');
const signature = '5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7';
const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/iam/aws4_request, SignedHeaders=content-type;host;x-amz-date, Signature=${signature}`;
const example: HttpRequest = {
  method: 'GET',
  path: '/?Action=ListUsers&Version=2010-05-08',
  headers: {
    authorization,
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    host: 'iam.amazonaws.com',
    'x-amz-date': '20150830T123600Z',
  },
  body: new Uint8Array(),
};

const verified = (change: Partial<HttpRequest>, at = now) =>
  verifySignature({ ...example, ...change }, { accessKey, now: at });

test('the signature of the documented example is valid', () => {
  expect(verified({})).toBeUndefined();
});

test('the order of the query, the spaces in a header and the spelling of the header do not matter', () => {
  expect(verified({ path: '/?Version=2010-05-08&Action=%4cistUsers' })).toBeUndefined();
  const spaced = { ...example.headers, 'content-type': ' application/x-www-form-urlencoded;  charset=utf-8 ' };
  expect(verified({ headers: spaced })).toBeUndefined();
  const tight = { ...example.headers, authorization: authorization.replaceAll(', ', ',') };
  expect(verified({ headers: tight })).toBeUndefined();
});

for (const { changed, change } of [
  { changed: 'method', change: { method: 'POST' } },
  { changed: 'path', change: { path: '/x?Action=ListUsers&Version=2010-05-08' } },
  { changed: 'query', change: { path: '/?Action=ListRoles&Version=2010-05-08' } },
  { changed: 'query, which is no text', change: { path: '/?Action=%ff' } },
  { changed: 'body', change: { body: Buffer.from('x') } },
  { changed: 'signed header', change: { headers: { ...example.headers, host: 'evil.example' } } },
]) {
  test(`a request with another ${changed} does not match its signature`, () => {
    expect(verified(change)).toEqual({ kind: 'mismatch' });
  });
}

const withAuthorization = (text: string) => ({ headers: { ...example.headers, authorization: text } });

for (const { fact, change } of [
  { fact: 'a header of another algorithm', change: withAuthorization(authorization.replace('SHA256', 'SHA512')) },
  { fact: 'a scope of four parts', change: withAuthorization(authorization.replace('us-east-1/', '')) },
  { fact: 'a signature that is cut off', change: withAuthorization(authorization.slice(0, -1)) },
  { fact: 'a host that is not signed', change: withAuthorization(authorization.replace('host;', '')) },
  { fact: 'no date', change: { headers: { authorization, host: 'iam.amazonaws.com' } } },
  { fact: 'a scope of another day', change: withAuthorization(authorization.replace('20150830', '20150829')) },
  {
    fact: 'a presigned query without the time for which it is valid',
    change: { headers: {}, path: `/?X-Amz-Signature=${signature}` },
  },
]) {
  test(`${fact} makes a signature incomplete`, () => {
    expect(verified(change)).toEqual({ kind: 'incomplete' });
  });
}

test('a request without a signature has none, and one of another key is of nobody', () => {
  expect(verified({ headers: { host: 'iam.amazonaws.com' } })).toEqual({ kind: 'absent' });
  const other = { ...accessKey, accessKeyId: 'AKIDOTHER' };
  expect(verifySignature(example, { accessKey: other, now })).toEqual({ kind: 'unknownKey' });
  expect(verifySignature(example, { accessKey: undefined, now })).toEqual({ kind: 'unknownKey' });
});

test('a signature is valid five minutes before and after its time', () => {
  const minute = 60_000;
  expect(verified({}, instant(now + 5 * minute))).toBeUndefined();
  expect(verified({}, instant(now - 5 * minute))).toBeUndefined();
  expect(verified({}, instant(now + 5 * minute + 1))).toMatchObject({ kind: 'expired' });
  expect(verified({}, instant(now - 5 * minute - 1))).toMatchObject({ kind: 'notYetCurrent' });
});
