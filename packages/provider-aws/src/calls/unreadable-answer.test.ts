import { expect, test } from 'vitest';
import { asCloudError } from './call-aws.ts';
import { readableError } from './unreadable-answer.ts';

test('a page instead of an answer is quoted, with its status', () => {
  const broken = Object.assign(new Error('mismatched tags.\n  Deserialization error: to see the raw response, ...'), {
    $metadata: { httpStatusCode: 500 },
    $responseBodyText: '<!doctype html>\n<title>500 Internal Server Error</title>',
  });
  expect(asCloudError(readableError(broken))).toMatchObject({
    code: 'UnreadableAnswer',
    retry: 'backOff',
    message:
      'UnreadableAnswer: the endpoint answered HTTP 500 with what is no answer of AWS: <!doctype html> <title>500 Internal Server Error</title>',
  });
});

test('an answer of AWS stays as it is', () => {
  const refusal = Object.assign(new Error('no'), { name: 'AccessDenied', $metadata: { httpStatusCode: 403 } });
  expect(readableError(refusal)).toBe(refusal);
});
