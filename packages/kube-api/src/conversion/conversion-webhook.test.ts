import { expect, test } from 'vitest';
import type { JsonObject } from '../schema/json.ts';
import type { ApiObject } from '../storage/api-object.ts';
import { ConversionProblem, conversionRequest, readConversion, withTexts } from './conversion-webhook.ts';

const aHost = (name: string, metadata: object = {}): ApiObject => ({
  apiVersion: 'example.com/v1',
  kind: 'Host',
  metadata: { name, namespace: 'default', uid: `uid-of-${name}`, ...metadata },
  spec: { host: name },
});

const inV2 = (host: ApiObject, changed: object = {}): JsonObject => ({
  ...(host as unknown as JsonObject),
  apiVersion: 'example.com/v2',
  ...changed,
});

const clientConfig = { url: 'https://hooks.test/convert' };
const requestFor = (hosts: readonly ApiObject[], conversionReviewVersions: readonly string[] = ['v1']) =>
  conversionRequest({ clientConfig, conversionReviewVersions }, hosts, 'example.com/v2');

type ReviewChange = { readonly review?: object; readonly response?: object; readonly versions?: readonly string[] };

/** What is read of a review that converts these hosts to these objects. */
function readReview(hosts: readonly ApiObject[], converted: readonly unknown[] | undefined, change: ReviewChange = {}) {
  const request = requestFor(hosts, change.versions);
  const { uid } = request.body['request'] as { readonly uid: string };
  const body = {
    apiVersion: request.body['apiVersion'],
    kind: 'ConversionReview',
    response: {
      uid,
      result: { status: 'Success' },
      ...(converted === undefined ? {} : { convertedObjects: converted }),
      ...change.response,
    },
    ...change.review,
  };
  return readConversion(request, { kind: 'answered', body }, hosts);
}

test('a request names the version and the objects, and waits half a minute', () => {
  const hosts = [aHost('a'), aHost('b')];
  const request = requestFor(hosts);
  expect(request).toMatchObject({ url: 'https://hooks.test/convert?timeout=30s', timeoutMs: 30_000 });
  expect(request).not.toHaveProperty('ca');
  expect(request.body).toMatchObject({
    kind: 'ConversionReview',
    apiVersion: 'apiextensions.k8s.io/v1',
    request: { desiredAPIVersion: 'example.com/v2', objects: hosts },
  });
});

test('the certificate of the authority is decoded', () => {
  const caBundle = Buffer.from('a certificate', 'utf8').toString('base64');
  const converter = { clientConfig: { ...clientConfig, caBundle }, conversionReviewVersions: ['v1'] };
  expect(conversionRequest(converter, [], 'example.com/v2').ca).toBe('a certificate');
});

test.each([
  [['v1', 'v1beta1'], 'v1'],
  [['v1beta1', 'v1'], 'v1beta1'],
  [['v7', 'v1beta1'], 'v1beta1'],
  [['v7'], 'v1'],
  [[], 'v1'],
])('a webhook that reads reviews of %j gets one of %s', (versions, version) => {
  expect(requestFor([], versions).body['apiVersion']).toBe(`apiextensions.k8s.io/${version}`);
});

test('versions that are not named are those of the server', () => {
  expect(conversionRequest({ clientConfig }, [], 'example.com/v2').body['apiVersion']).toBe('apiextensions.k8s.io/v1');
});

test('converted objects keep their metadata, and get labels and annotations', () => {
  const [one, two] = [aHost('a', { generation: 3, labels: { old: 'x' } }), aHost('b', { annotations: { old: 'x' } })];
  const changed = [
    inV2(one, { metadata: { ...one.metadata, generation: 9, labels: { new: 'y' } }, spec: { hostname: 'a' } }),
    inV2(two, { metadata: { name: 'b', namespace: 'default', uid: 'uid-of-b', annotations: { new: 'y' } } }),
  ];
  expect(readReview([one, two], changed)).toEqual([
    {
      apiVersion: 'example.com/v2',
      kind: 'Host',
      metadata: { name: 'a', namespace: 'default', uid: 'uid-of-a', generation: 3, labels: { new: 'y' } },
      spec: { hostname: 'a' },
    },
    {
      apiVersion: 'example.com/v2',
      kind: 'Host',
      metadata: { name: 'b', namespace: 'default', uid: 'uid-of-b', annotations: { new: 'y' } },
      spec: { host: 'b' },
    },
  ]);
});

test('an object without namespace and uid is converted as well', () => {
  const host = { ...aHost('a'), metadata: { name: 'a' } } as unknown as ApiObject;
  expect(readReview([host], [inV2(host)])).toEqual([inV2(host)]);
});

const subject = 'conversion webhook for example.com/v1, Kind=Host';
const [host, other] = [aHost('a'), aHost('b')];

for (const [fact, read, message] of [
  [
    'a failed call',
    () => readConversion(requestFor([host]), { kind: 'failed', error: 'gone' }, [host]),
    `${subject} failed: gone`,
  ],
  [
    'a review of another kind',
    () => readReview([host], [], { review: { kind: 'Other' } }),
    `${subject} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got apiextensions.k8s.io/v1, Kind=Other`,
  ],
  [
    'a review of another version',
    () => readReview([host], [], { review: { apiVersion: 'x/v1' } }),
    `${subject} failed: expected webhook response of apiextensions.k8s.io/v1, Kind=ConversionReview, got x/v1, Kind=ConversionReview`,
  ],
  ['no response', () => readReview([host], [], { review: { response: 7 } }), `${subject} failed: no response provided`],
  [
    'a result without a message',
    () => readReview([host], [], { response: { result: { status: 'Failed' } } }),
    `${subject} failed: response.result.status was 'Failed', not 'Success'`,
  ],
  [
    'a result with one',
    () => readReview([host], [], { response: { result: { status: 'Failed', message: 'no' } } }),
    `${subject} failed: no`,
  ],
  [
    'no result',
    () => readReview([host], [], { response: { result: undefined } }),
    `${subject} failed: response.result.status was '', not 'Success'`,
  ],
  ['no list', () => readReview([host], undefined), `${subject} returned 0 objects, expected 1`],
  [
    'one object too many',
    () => readReview([host], [inV2(host), inV2(host)]),
    `${subject} returned 2 objects, expected 1`,
  ],
  ['no objects for none', () => readReview([], [inV2(host)]), 'conversion webhook for  returned 1 objects, expected 0'],
  [
    'an object of another version, by its place',
    () => readReview([host, other], [inV2(host), inV2(other, { apiVersion: 'x/v1' })]),
    `${subject} returned invalid object at index 1: invalid groupVersion (expected example.com/v2, received x/v1)`,
  ],
  [
    'what is no object',
    () => readReview([host], [null]),
    `${subject} returned invalid object at index 0: invalid groupVersion (expected example.com/v2, received )`,
  ],
  [
    'an object of another kind',
    () => readReview([host], [inV2(host, { kind: 'Other' })]),
    `${subject} returned invalid object at index 0: invalid kind (expected Host, received Other)`,
  ],
  [
    'another namespace',
    () => readReview([host], [inV2(host, { metadata: { ...host.metadata, namespace: 'x' } })]),
    `${subject} returned invalid object: must have the same namespace: default != x`,
  ],
  [
    'another uid',
    () => readReview([host], [inV2(host, { metadata: { ...host.metadata, uid: 'x' } })]),
    `${subject} returned invalid object: must have the same UID: uid-of-a != x`,
  ],
  [
    'an annotation that is none',
    () => readReview([host], [inV2(host, { metadata: { ...host.metadata, annotations: { 'a b': 'x' } } })]),
    /^conversion webhook for example.com\/v1, Kind=Host returned invalid metadata: metadata.annotations?.*"a b"/,
  ],
] as readonly (readonly [string, () => unknown, string | RegExp])[])
  test(`a webhook that answers with ${fact} converts nothing`, () => {
    expect(read).toThrow(ConversionProblem);
    expect(read).toThrow(message);
  });

test('an older review is not held against its words', () => {
  const change = { versions: ['v1beta1'], review: { apiVersion: '', kind: '' }, response: { uid: 'x' } };
  expect(readReview([host], [inV2(host)], change)).toEqual([inV2(host)]);
});

test('labels and annotations that are left out are gone', () => {
  const named = aHost('a', { labels: { a: 'b' }, annotations: { c: 'd' } });
  expect(withTexts(named, {}).metadata).toEqual({ name: 'a', namespace: 'default', uid: 'uid-of-a' });
  expect(withTexts(named, { labels: { e: 'f' } }).metadata).toMatchObject({ labels: { e: 'f' } });
  expect(withTexts(named, { annotations: { e: 'f' } }).metadata).not.toHaveProperty('labels');
});
