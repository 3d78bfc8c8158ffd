import { sdkError } from '@nodewright/testkit/worlds';
import { describe, expect, test } from 'vitest';
import { awsCodeOf, classifyCode, classifyError, errorCodes, isAwsNotFound, isEndpointError } from './error-codes.ts';
import { isUnknownOperation } from './unknown-operations.ts';

const socketError = (code: string): Error => Object.assign(new Error('broken'), { code });

test('every code is of one class', () => {
  const all = Object.values(errorCodes).flat();
  expect(all.filter((code, at) => all.indexOf(code) !== at)).toEqual([]);
  for (const [name, codes] of Object.entries(errorCodes))
    for (const code of codes) expect(classifyCode(code)).toBe(name);
});

for (const { fact, error, code, is } of [
  {
    fact: 'the name of an SDK error',
    error: sdkError('VcpuLimitExceeded'),
    code: 'VcpuLimitExceeded',
    is: 'quotaExceeded',
  },
  { fact: 'the code of a socket error', error: socketError('ECONNREFUSED'), code: 'ECONNREFUSED', is: 'networkError' },
  {
    fact: 'the name, where the code is a number',
    error: Object.assign(sdkError('Throttling'), { code: 7 }),
    code: 'Throttling',
    is: 'throttled',
  },
  {
    fact: 'the status 500, where the name says nothing',
    error: sdkError('New', 'no', 500),
    code: 'New',
    is: 'serviceError',
  },
  {
    fact: 'the status 429, where the name says nothing',
    error: sdkError('New', 'no', 429),
    code: 'New',
    is: 'throttled',
  },
  {
    fact: 'the name, whatever the status',
    error: sdkError('AccessDenied', 'no', 500),
    code: 'AccessDenied',
    is: 'unauthorized',
  },
  {
    fact: 'nothing, where the status is the caller’s own fault',
    error: sdkError('New', 'no', 499),
    code: 'New',
    is: 'unknownCode',
  },
  {
    fact: 'nothing without a status',
    error: Object.assign(new Error('a'), { $metadata: {} }),
    code: 'Error',
    is: 'unknownCode',
  },
  {
    fact: 'nothing, where the status is a text',
    error: Object.assign(new Error('a'), { $metadata: { httpStatusCode: '500' } }),
    code: 'Error',
    is: 'unknownCode',
  },
  { fact: 'nothing, where it is no error', error: 'Throttling', code: 'Unknown', is: 'unknownCode' },
] as const) {
  test(`an error is classified by ${fact}`, () => {
    expect([awsCodeOf(error), classifyError(error)]).toEqual([code, is]);
  });
}

test('a code that every object inherits is unknown', () => {
  expect(['constructor', 'toString', '__proto__'].map(classifyCode)).toEqual(Array(3).fill('unknownCode'));
});

describe('an error says', () => {
  for (const { error, endpoint, notFound, unknownOperation } of [
    { error: sdkError('Throttling'), endpoint: true, notFound: false, unknownOperation: false },
    { error: sdkError('InternalError'), endpoint: true, notFound: false, unknownOperation: false },
    { error: socketError('EPIPE'), endpoint: true, notFound: false, unknownOperation: false },
    { error: sdkError('TimeoutError'), endpoint: true, notFound: false, unknownOperation: false },
    { error: sdkError('UnreadableAnswer'), endpoint: true, notFound: false, unknownOperation: true },
    { error: sdkError('InvalidAction'), endpoint: false, notFound: false, unknownOperation: true },
    { error: sdkError('InvalidInstanceID.NotFound'), endpoint: false, notFound: true, unknownOperation: false },
    { error: sdkError('UnauthorizedOperation'), endpoint: false, notFound: false, unknownOperation: false },
  ]) {
    test(`${awsCodeOf(error)}: whether the endpoint, the thing or the operation is at fault`, () => {
      expect([isEndpointError(error), isAwsNotFound(error), isUnknownOperation(error)]).toEqual([
        endpoint,
        notFound,
        unknownOperation,
      ]);
    });
  }
});
