import { karpenterCustomResources } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const configMaps = '/api/v1/namespaces/default/configmaps';

type Page = {
  readonly metadata: { readonly continue?: string; readonly remainingItemCount?: number };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
};

const refused = [
  { query: 'limit=abc', status: 400, message: 'strconv.ParseInt: parsing "abc": invalid syntax' },
  { query: 'timeoutSeconds=abc', status: 400, message: 'strconv.ParseInt: parsing "abc": invalid syntax' },
  {
    query: 'resourceVersion=abc',
    status: 400,
    message:
      'invalid resource version: resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
  },
  {
    query: 'limit=1&continue=garbage',
    status: 400,
    message: String.raw`invalid continue token: continue key is not valid: invalid character '\u0081' looking for beginning of value`,
  },
  {
    query: 'resourceVersionMatch=Exact',
    status: 422,
    message:
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
  },
  {
    query: 'resourceVersion=0&resourceVersionMatch=Exact',
    status: 422,
    message:
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: resourceVersionMatch "exact" is forbidden for resourceVersion "0"',
  },
  {
    query: 'resourceVersion=1&resourceVersionMatch=Bogus',
    status: 422,
    message:
      'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Unsupported value: "Bogus": supported values: "Exact", "NotOlderThan", ""',
  },
  {
    query: 'sendInitialEvents=true',
    status: 422,
    message:
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
  },
  { query: 'labelSelector=app%3Dx%2C', status: 400, message: "found '', expected: identifier after ','" },
  {
    query: 'labelSelector=app%20in%20%28x',
    status: 400,
    message: "unable to parse requirement: found '', expected: ',' or ')'",
  },
  { query: 'labelSelector=app%3Dx%3Dy', status: 400, message: "found '=', expected: ',' or 'end of string'" },
  {
    query: 'fieldSelector=metadata.name',
    status: 400,
    message: "invalid selector: 'metadata.name'; can't understand 'metadata.name'",
  },
  { query: 'fieldSelector=spec.bogus%3D1', status: 400, message: 'field label not supported: spec.bogus' },
] as const;
for (const { query, status, message } of refused) {
  test(`a list with ${query} is refused`, async () => {
    const { send } = anApiServer();
    expect(await send('GET', `${configMaps}?${query}`)).toMatchObject({ status, body: { message } });
  });
}

test('slices of devices are selected by node and driver, as their drivers do', async () => {
  const { send } = anApiServer({ version: '1.36' });
  const slices = '/apis/resource.k8s.io/v1/resourceslices';
  const create = (name: string, nodeName: string) =>
    send('POST', slices, {
      metadata: { name },
      spec: { driver: 'gpu.example.com', nodeName, pool: { name: nodeName, generation: 1, resourceSliceCount: 1 } },
    });
  await create('a', 'here');
  await create('b', 'there');
  const select = (fields: string) => send('GET', `${slices}?fieldSelector=${encodeURIComponent(fields)}`);
  const found = await select('spec.nodeName=here,spec.driver=gpu.example.com');
  expect((found.body as Page).items.map(({ metadata }) => metadata.name)).toEqual(['a']);
  expect(await select('metadata.namespace=x')).toMatchObject({
    status: 400,
    body: { message: 'field label not supported for resource.k8s.io/v1, Kind=ResourceSlice: metadata.namespace' },
  });
});

test.each([
  ['list', ''],
  ['get', '/a'],
])('a %s at a version from the future times out', async (_verb, name) => {
  const { send } = anApiServer();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  const answer = await send('GET', `${configMaps}${name}?resourceVersion=999999999`);
  expect(answer.headers['retry-after']).toBe('1');
  expect(answer).toMatchObject({
    status: 504,
    body: { reason: 'Timeout', details: { causes: [{ reason: 'ResourceVersionTooLarge' }], retryAfterSeconds: 1 } },
  });
  expect(answer.body['message']).toContain('Too large resource version: 999999999, current: ');
});

test('a get with a version that is no number is an error of the server', async () => {
  const { send } = anApiServer();
  await send('POST', configMaps, { metadata: { name: 'a' } });
  expect(await send('GET', `${configMaps}/a?resourceVersion=abc`)).toMatchObject({ status: 500 });
});

describe('a page', () => {
  const withThree = async (path = configMaps, more: Readonly<Record<string, unknown>> = {}) => {
    const api = anApiServer({ customResources: karpenterCustomResources });
    for (const name of ['a', 'b', 'c']) await api.send('POST', path, { metadata: { name }, ...more });
    const list = async (query: string) => (await api.send('GET', `${path}?${query}`)).body as unknown as Page;
    return { ...api, list };
  };
  const names = ({ items }: Page) => items.map(({ metadata }) => metadata.name);

  const sizes = [
    { query: 'limit=2', size: 2, remaining: 1 },
    { query: 'limit=3', size: 3, remaining: undefined },
    { query: 'limit=500', size: 3, remaining: undefined },
    { query: 'limit=0', size: 3, remaining: undefined },
    { query: 'limit=-1', size: 3, remaining: undefined },
    { query: 'limit=2&resourceVersion=0', size: 3, remaining: undefined },
    { query: 'limit=2&fieldSelector=metadata.name%21%3Db', size: 2, remaining: undefined },
    { query: 'limit=2&labelSelector=%21none', size: 2, remaining: undefined },
  ] as const;
  for (const { query, size, remaining } of sizes) {
    test(`with ${query} has ${size} of three objects`, async () => {
      const { list } = await withThree();
      const page = await list(query);
      expect([page.items.length, page.metadata.remainingItemCount]).toEqual([size, remaining]);
    });
  }

  test('of a selection ends without a token when nothing follows', async () => {
    const { list } = await withThree();
    expect((await list('limit=2&fieldSelector=metadata.name%21%3Db')).metadata.continue).toBeUndefined();
    expect((await list('limit=1&fieldSelector=metadata.name%21%3Db')).metadata.continue).toBeDefined();
  });

  test('is continued from its token, whatever the later limit', async () => {
    const { list } = await withThree();
    const first = await list('limit=1');
    expect(names(await list(`continue=${first.metadata.continue}`))).toEqual(['b', 'c']);
    expect(names(await list(`limit=1&continue=${first.metadata.continue}`))).toEqual(['b']);
  });

  test('has the token of a real server: the version of the API, the revision and the place', async () => {
    const { list } = await withThree();
    const { metadata } = await list('limit=1');
    const token = JSON.parse(Buffer.from(metadata.continue ?? '', 'base64url').toString('utf8')) as object;
    expect(token).toEqual({ v: 'meta.k8s.io/v1', rv: expect.any(Number), start: '/a\u0000' });
  });

  test('of a custom kind has an empty token at its end', async () => {
    const path = '/apis/karpenter.sh/v1/nodepools';
    const nodeClassRef = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'default' };
    const spec = { template: { spec: { nodeClassRef, requirements: [] } } };
    const { list } = await withThree(path, { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', spec });
    const page = await list('limit=500');
    expect([names(page), page.metadata.continue]).toEqual([['a', 'b', 'c'], '']);
  });
});

test('lists are sorted by namespace and name', async () => {
  const { send } = anApiServer();
  for (const name of ['z', 'b']) await send('POST', '/api/v1/namespaces', { metadata: { name } });
  for (const [namespace, name] of [
    ['z', 'one'],
    ['b', 'two'],
    ['b', 'one'],
  ] as const) {
    await send('POST', `/api/v1/namespaces/${namespace}/configmaps`, { metadata: { name } });
  }
  const { body } = await send('GET', '/api/v1/configmaps');
  const items = body['items'] as readonly {
    readonly metadata: { readonly namespace: string; readonly name: string };
  }[];
  expect(items.map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)).toEqual(['b/one', 'b/two', 'z/one']);
});
