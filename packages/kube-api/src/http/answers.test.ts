import { HandlerDefect, type StorageProblem, StorageError } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { withServerHeaders } from './answer-headers.ts';
import { encodeJson, escapeForHtml, formatDocument, formatJson, formatYaml } from './encoding.ts';
import { parseInt64, parseListVersion, parseSwitch, parseVersion, textOrEmpty } from './go-values.ts';
import { partialMetadata, partialMetadataList } from './partial-metadata.ts';
import { answerError } from './refusal.ts';
import * as errors from './status-error.ts';
import { refuseUnsavedState, withoutStorageError } from './storage-refusal.ts';

const pods = { group: '', plural: 'pods' };
const claims = { group: 'karpenter.sh', plural: 'nodeclaims' };
const cause = (field: string, message: string): errors.StatusCause => ({ field, message, reason: 'FieldValueInvalid' });

describe('an error', () => {
  test.each<readonly [errors.StatusError, number, string, string | undefined, object | undefined]>([
    [errors.notFoundError(pods, 'web'), 404, 'pods "web" not found', 'NotFound', { name: 'web', kind: 'pods' }],
    [
      errors.notFoundError(claims, 'a'),
      404,
      'nodeclaims.karpenter.sh "a" not found',
      'NotFound',
      { name: 'a', group: 'karpenter.sh', kind: 'nodeclaims' },
    ],
    [errors.noSuchResourceError(), 404, 'the server could not find the requested resource', 'NotFound', {}],
    [
      errors.methodNotAllowedError(),
      405,
      'the server does not allow this method on the requested resource',
      'MethodNotAllowed',
      {},
    ],
    [
      errors.alreadyExistsError(pods, 'web'),
      409,
      'pods "web" already exists',
      'AlreadyExists',
      { name: 'web', kind: 'pods' },
    ],
    [
      errors.beingDeletedError(pods, 'web'),
      409,
      'object is being deleted: pods "web" already exists',
      'AlreadyExists',
      { name: 'web', kind: 'pods' },
    ],
    [
      errors.modifiedConflictError(pods, 'web'),
      409,
      'Operation cannot be fulfilled on pods "web": the object has been modified; please apply your changes to the latest version and try again',
      'Conflict',
      { name: 'web', kind: 'pods' },
    ],
    [errors.badRequestError('no'), 400, 'no', 'BadRequest', undefined],
    [errors.internalError('no'), 500, 'no', undefined, undefined],
    [errors.forbiddenError(pods, '', 'no rule'), 403, 'pods is forbidden: no rule', 'Forbidden', { kind: 'pods' }],
    [
      errors.forbiddenError(pods, 'web', 'no rule'),
      403,
      'pods "web" is forbidden: no rule',
      'Forbidden',
      { name: 'web', kind: 'pods' },
    ],
    [errors.unauthorizedError(), 401, 'Unauthorized', 'Unauthorized', undefined],
    [errors.expiredError('too old'), 410, 'too old', 'Expired', undefined],
    [errors.unsupportedMediaTypeError(), 415, '415: Unsupported Media Type', 'UnsupportedMediaType', {}],
    [
      errors.tooManyRequestsError(),
      429,
      'too many requests, please try again later',
      'TooManyRequests',
      { retryAfterSeconds: 1 },
    ],
    [
      errors.tooLargeVersionError(9, 5),
      504,
      'Timeout: Too large resource version: 9, current: 5',
      'Timeout',
      {
        causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
        retryAfterSeconds: 1,
      },
    ],
  ])('%s', (error, code, message, reason, details) => {
    expect(error.toStatus()).toEqual({
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      ...(reason === undefined ? {} : { reason }),
      ...(details === undefined ? {} : { details }),
      code,
    });
  });

  test.each<readonly [readonly errors.StatusCause[], string]>([
    [[cause('spec.a', 'Required value')], 'Pod "web" is invalid: spec.a: Required value'],
    [
      [cause('spec.a', 'Required value'), cause('spec.b', 'Forbidden')],
      'Pod "web" is invalid: [spec.a: Required value, spec.b: Forbidden]',
    ],
    [[cause('spec.a', 'same'), cause('spec.a', 'same')], 'Pod "web" is invalid: spec.a: same'],
  ])('of an invalid object says each problem once: %j', (causes, message) => {
    const error = errors.invalidError({ group: '', kind: 'Pod' }, 'web', causes);
    expect([error.code, error.message, error.details?.causes]).toEqual([422, message, causes]);
  });

  test('of a continued list carries the token to go on with', () => {
    expect(errors.expiredError('too old', 'next').toStatus()).toMatchObject({ metadata: { continue: 'next' } });
  });
});

describe('the answer to a failed request', () => {
  const request = (more: object = {}) => ({
    method: 'GET',
    path: '/api/v1/pods/web',
    headers: {},
    body: new Uint8Array(),
    ...more,
  });
  const answer = (error: unknown, more: object = {}) => {
    const { status, headers, body } = answerError(error, request(more));
    return { status, headers, text: Buffer.from(body as Uint8Array).toString('utf8') };
  };
  const notFound = errors.notFoundError(pods, 'web');

  test('is one line of JSON', () => {
    const { status, headers, text } = answer(notFound);
    expect([status, headers]).toEqual([404, { 'content-type': 'application/json' }]);
    expect(text).toBe(`${JSON.stringify(notFound.toStatus())}\n`);
  });

  test.each<readonly [string, object]>([
    ['YAML for whoever accepts it', { headers: { accept: 'application/yaml' } }],
    ['YAML for whoever wants a table of it', { headers: { accept: 'application/yaml;as=Table' } }],
  ])('is %s', (_, more) => {
    const { headers, text } = answer(notFound, more);
    expect(headers['content-type']).toBe('application/yaml');
    expect(parse(text)).toEqual(notFound.toStatus());
  });

  test('is JSON for whoever accepts nothing that there is', () => {
    const { headers, text } = answer(notFound, { headers: { accept: 'text/html' } });
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(text)).toEqual(notFound.toStatus());
  });

  test('has no body for HEAD', () => expect(answer(notFound, { method: 'HEAD' }).text).toBe(''));

  test('says when to try again', () => {
    expect(answer(errors.tooManyRequestsError()).headers['retry-after']).toBe('1');
  });

  test('of a defect tells its id and nothing else', () => {
    let defect: unknown;
    try {
      answer(new Error('secret'));
    } catch (failure) {
      defect = failure;
    }
    expect(defect).toBeInstanceOf(HandlerDefect);
  });
});

describe('values of Go', () => {
  const refusal = (read: () => unknown): unknown => {
    try {
      return read();
    } catch (error) {
      const { code, message } = error as errors.StatusError;
      return `${code} ${message}`;
    }
  };
  const bad = (text: string): string => `strconv.ParseInt: parsing "${text}": invalid syntax`;
  const range = (text: string): string => `400 strconv.ParseInt: parsing "${text}": value out of range`;
  test.each<readonly [string | null, unknown]>([
    [null, undefined],
    ['', `400 ${bad('')}`],
    ['5', 5],
    ['-5', -5],
    ['+5', 5],
    ['five', `400 ${bad('five')}`],
    ['1.5', `400 ${bad('1.5')}`],
    [' 5', `400 ${bad(' 5')}`],
    ['9223372036854775807', 2 ** 63],
    ['9223372036854775808', range('9223372036854775808')],
    ['-9223372036854775809', range('-9223372036854775809')],
  ])('the integer %j is %j', (text, value) => expect(refusal(() => parseInt64(text))).toBe(value));

  test.each<readonly [string | null, boolean]>([
    [null, false],
    ['false', false],
    ['0', false],
    ['', true],
    ['true', true],
    ['yes', true],
  ])('the switch %j is %j', (text, value) => expect(parseSwitch(text)).toBe(value));

  const problem = 'resourceVersion: Invalid value: "x": strconv.ParseUint: parsing "x": invalid syntax';
  test('a version of a list is refused with 400, one of an object with 500', () => {
    expect([null, '', '0', '17'].map(parseListVersion)).toEqual([undefined, undefined, 0, 17]);
    expect([null, '', '0', '17'].map(parseVersion)).toEqual([undefined, undefined, 0, 17]);
    expect(refusal(() => parseListVersion('x'))).toBe(`400 invalid resource version: ${problem}`);
    expect(refusal(() => parseVersion('x'))).toBe(`500 ${problem}`);
    expect(refusal(() => parseVersion('-1'))).toMatch(/^500 /);
  });

  test('what is no text is an empty one', () => {
    expect([undefined, null, 5, {}, 'a'].map(textOrEmpty)).toEqual(['', '', '', '', 'a']);
  });
});

describe('a document', () => {
  test('has three characters as Go writes them', () => {
    expect(escapeForHtml('"<a> & b"')).toBe('"\\u003ca\\u003e \\u0026 b"');
    expect(encodeJson({ a: '<' })).toBe('{"a":"\\u003c"}');
    expect(formatJson({ a: [1] }, true)).toBe('{\n  "a": [\n    1\n  ]\n}');
  });

  test('in YAML has its members sorted, long lines broken as a real server does and nothing shared', () => {
    const shared = { x: 1 };
    expect(formatYaml({ b: shared, a: shared, list: ['y'], text: 'word '.repeat(40).trim() })).toBe(
      `a:\n  x: 1\nb:\n  x: 1\nlist:\n- "y"\ntext: ${'word '.repeat(16).trim()}\n  ${'word '.repeat(16).trim()}\n  ${'word '.repeat(8).trim()}\n`,
    );
    expect(formatDocument({ a: 1 }, { syntax: 'yaml', isPretty: true })).toBe('a: 1\n');
    expect(formatDocument({ a: 1 }, { syntax: 'json', isPretty: false })).toBe('{"a":1}');
  });

  test('of metadata has nothing of the object but that', () => {
    const object = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec: { secret: 1 } } as never;
    const metadata = { resourceVersion: '7', continue: 'next', remainingItemCount: 3 };
    const item = { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'web' } };
    expect(partialMetadata(object)).toEqual(item);
    expect(partialMetadataList([object], metadata)).toEqual({
      kind: 'PartialObjectMetadataList',
      apiVersion: 'meta.k8s.io/v1',
      metadata,
      items: [item],
    });
  });

  test('goes out with the headers of a server, which the answer may change', () => {
    const response = { status: 200, headers: { 'cache-control': 'public' }, body: new Uint8Array() };
    const { headers } = withServerHeaders(response, 'audit-1');
    expect(headers).toMatchObject({ 'audit-id': 'audit-1', 'cache-control': 'public' });
    expect(withServerHeaders({ ...response, headers: {} }, 'a').headers).toMatchObject({
      'cache-control': 'no-cache, private',
    });
  });
});

describe('while changes cannot be saved', () => {
  const problem = (isReadable: boolean) => ({ message: 'the disk is full', isReadable }) as StorageProblem;
  test('a read is refused only where a restart would lose what it shows', () => {
    expect(() => refuseUnsavedState({ problem: () => undefined })).not.toThrow();
    expect(() => refuseUnsavedState({ problem: () => problem(true) })).not.toThrow();
    expect(() => refuseUnsavedState({ problem: () => problem(false) })).toThrow(
      expect.objectContaining({ code: 503, message: 'the disk is full', reason: 'ServiceUnavailable' }),
    );
  });

  test('the failure of a write is a 503 without a time to wait, and other failures stay', () => {
    const refused = withoutStorageError(new StorageError(problem(false)));
    expect(refused).toMatchObject({ code: 503, message: 'the disk is full', details: undefined });
    const other = new Error('other');
    expect(withoutStorageError(other)).toBe(other);
  });
});
