import { instant } from '@nodewright/apis';
import { describe, expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const path = '/api/v1/namespaces/default/configmaps';
const merge = { 'content-type': 'application/merge-patch+json' };

type Line = { readonly type?: unknown; readonly object?: { readonly metadata?: { readonly name?: string } } };
const shown = (lines: readonly Line[]) => lines.map(({ type, object }) => [type, object?.metadata?.name ?? '']);

async function withOneLife() {
  const api = anApiServer();
  const { body } = await api.send('GET', path);
  const version = (body['metadata'] as { resourceVersion: string }).resourceVersion;
  await api.send('POST', path, { metadata: { name: 'w', labels: { on: 'yes' } } });
  await api.send('PATCH', `${path}/w`, { data: { a: '1' } }, merge);
  await api.send('PATCH', `${path}/w`, { metadata: { labels: { on: 'no' } } }, merge);
  await api.send('PATCH', `${path}/w`, { metadata: { labels: { on: 'yes' } } }, merge);
  await api.send('DELETE', `${path}/w`);
  return { ...api, version };
}

test('a watch from a version replays everything since', async () => {
  const { watch, version, time } = await withOneLife();
  const { lines } = await watch(`${path}?watch=true&resourceVersion=${version}`);
  await time.settle();
  expect(shown(lines)).toEqual([
    ['ADDED', 'w'],
    ['MODIFIED', 'w'],
    ['MODIFIED', 'w'],
    ['MODIFIED', 'w'],
    ['DELETED', 'w'],
  ]);
});

test('leaving a selection is a deletion, entering it an addition', async () => {
  const { watch, version, time } = await withOneLife();
  const { lines } = await watch(`${path}?watch=true&resourceVersion=${version}&labelSelector=on%3Dyes`);
  await time.settle();
  expect(lines.map(({ type }) => type)).toEqual(['ADDED', 'MODIFIED', 'DELETED', 'ADDED', 'DELETED']);
});

test('a watch without a version begins with what is there, and goes on', async () => {
  const { send, watch, time } = anApiServer();
  await send('POST', path, { metadata: { name: 'before' } });
  const { lines } = await watch(`${path}?watch=true`);
  await send('POST', path, { metadata: { name: 'after' } });
  await time.settle();
  expect(shown(lines)).toEqual([
    ['ADDED', 'before'],
    ['ADDED', 'after'],
  ]);
});

test('a watch list marks the end of what was there', async () => {
  const { watch, time } = anApiServer();
  const { lines } = await watch(
    `${path}?watch=true&sendInitialEvents=true&allowWatchBookmarks=true&resourceVersionMatch=NotOlderThan`,
  );
  await time.settle();
  expect(lines).toMatchObject([
    { type: 'BOOKMARK', object: { metadata: { annotations: { 'k8s.io/initial-events-end': 'true' } } } },
  ]);
});

test('a watch ends with a bookmark when its time is up', async () => {
  const { server, time, watch } = anApiServer();
  const { lines } = await watch(`${path}?watch=true&resourceVersion=1&allowWatchBookmarks=true&timeoutSeconds=12`);
  await time.run(time.clock.now());
  expect(lines).toEqual([]);
  await time.runUntil(() => lines.length > 0, { before: (time.clock.now() + 12_000) as never });
  expect(lines).toMatchObject([{ type: 'BOOKMARK', object: { kind: 'ConfigMap' } }]);
  expect(server.version).toBe('1.28');
});

test('a version from before the compaction is too old', async () => {
  const { server, watch, version, time } = await withOneLife();
  server.compact();
  const { lines } = await watch(`${path}?watch=true&resourceVersion=${version}`);
  await time.settle();
  expect(lines).toMatchObject([{ type: 'ERROR', object: { code: 410, reason: 'Expired' } }]);
});

test('only the first row of a table watch brings the columns', async () => {
  const { send, watch, time } = anApiServer();
  const { lines } = await watch(`${path}?watch=true`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  await send('POST', path, { metadata: { name: 'a' } });
  await send('POST', path, { metadata: { name: 'b' } });
  await time.settle();
  expect(lines).toMatchObject([
    { object: { kind: 'Table', columnDefinitions: [{ name: 'Name' }, { name: 'Data' }, { name: 'Age' }] } },
    { object: { kind: 'Table', columnDefinitions: null } },
  ]);
});

test('ages in a table watch are counted to when the row is written', async () => {
  const { send, watch, time } = anApiServer();
  const { lines } = await watch(`${path}?watch=true`, { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' });
  await time.run(instant(time.clock.now() + 60_000));
  await send('POST', path, { metadata: { name: 'late' } });
  await time.settle();
  expect(lines).toMatchObject([{ object: { rows: [{ cells: ['late', 0, '0s'] }] } }]);
});

describe('a watch is refused', () => {
  const refused = [
    {
      query: 'resourceVersion=abc',
      status: 500,
      message: 'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    },
    {
      query: 'resourceVersion=-1',
      status: 500,
      message: 'resourceVersion: Invalid value: "-1": strconv.ParseUint: parsing "-1": invalid syntax',
    },
    { query: 'timeoutSeconds=abc', status: 400, message: 'strconv.ParseInt: parsing "abc": invalid syntax' },
    {
      query: 'resourceVersion=1&resourceVersionMatch=Exact',
      status: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: [resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided, resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"]',
    },
    {
      query: 'sendInitialEvents=true',
      status: 422,
      message:
        'ListOptions.meta.k8s.io "" is invalid: resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
    },
    { query: 'labelSelector=app%3Dx%2C', status: 400, message: "found '', expected: identifier after ','" },
    { query: 'fieldSelector=data.a%3D1', status: 400, message: 'field label not supported: data.a' },
  ] as const;
  for (const { query, status, message } of refused) {
    test(`with ${query}`, async () => {
      const { send } = anApiServer();
      expect(await send('GET', `${path}?watch=true&${query}`)).toMatchObject({ status, body: { message } });
    });
  }
});

describe('a watch sees', () => {
  const scopes = [
    { fact: 'its namespace', url: `${path}?watch=true`, names: ['mine'] },
    { fact: 'all namespaces', url: '/api/v1/configmaps?watch=true', names: ['mine', 'other'] },
    { fact: 'one name by a field selector', url: `${path}?watch=true&fieldSelector=metadata.name%3Dnone`, names: [] },
    {
      fact: 'its namespace on the deprecated path',
      url: '/api/v1/watch/namespaces/default/configmaps',
      names: ['mine'],
    },
    {
      fact: 'one object on the deprecated path',
      url: '/api/v1/watch/namespaces/default/configmaps/mine',
      names: ['mine'],
    },
    { fact: 'everything although it has a limit', url: '/api/v1/configmaps?watch=1&limit=1', names: ['mine', 'other'] },
  ] as const;
  for (const { fact, url, names } of scopes) {
    test(fact, async () => {
      const { send, watch, time } = anApiServer();
      await send('POST', '/api/v1/namespaces', { metadata: { name: 'z' } });
      await send('POST', path, { metadata: { name: 'mine' } });
      const { lines } = await watch(url);
      await send('POST', '/api/v1/namespaces/z/configmaps', { metadata: { name: 'other' } });
      await time.settle();
      expect(shown(lines).map(([, name]) => name)).toEqual(names);
    });
  }

  test('every write once, in order, when it begins at the version of a list', async () => {
    const { send, watch, time } = anApiServer();
    const { body } = await send('GET', path);
    const version = (body['metadata'] as { readonly resourceVersion: string }).resourceVersion;
    for (const name of ['a', 'b']) await send('POST', path, { metadata: { name } });
    const { lines } = await watch(`${path}?watch=true&resourceVersion=${version}`);
    await send('POST', path, { metadata: { name: 'c' } });
    await time.settle();
    expect(shown(lines)).toEqual([
      ['ADDED', 'a'],
      ['ADDED', 'b'],
      ['ADDED', 'c'],
    ]);
  });

  test('a deletion with the last state, at the version of the deletion', async () => {
    const { send, watch, time } = anApiServer();
    const { body } = await send('POST', path, { metadata: { name: 'a' }, data: { k: 'v' } });
    const created = Number((body['metadata'] as { readonly resourceVersion: string }).resourceVersion);
    const { lines } = await watch(`${path}?watch=true&resourceVersion=${created}`);
    await send('DELETE', `${path}/a`);
    await time.settle();
    expect(lines).toMatchObject([
      { type: 'DELETED', object: { data: { k: 'v' }, metadata: { resourceVersion: String(created + 1) } } },
    ]);
  });

  test('the metadata alone, for clients that want no more', async () => {
    const { send, watch, time } = anApiServer();
    const { lines } = await watch(`${path}?watch=true`, {
      accept: 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
    });
    await send('POST', path, { metadata: { name: 'a' }, data: { k: 'v' } });
    await time.settle();
    expect(lines).toMatchObject([{ object: { kind: 'PartialObjectMetadata', metadata: { name: 'a' } } }]);
    expect(lines[0]?.['object']).not.toHaveProperty('data');
  });
});

describe('a watch ends', () => {
  test('without a bookmark when its time is up and it did not ask for one', async () => {
    const { time, watch, send } = anApiServer();
    const { lines } = await watch(`${path}?watch=true&timeoutSeconds=5`);
    await time.run(instant(time.clock.now() + 5_000));
    await send('POST', path, { metadata: { name: 'late' } });
    await time.settle();
    expect(lines).toEqual([]);
  });

  test('when its client goes, and hears no more', async () => {
    const { time, watch, send } = anApiServer();
    const { lines, close } = await watch(`${path}?watch=true`);
    await send('POST', path, { metadata: { name: 'before' } });
    await time.settle();
    close();
    await send('POST', path, { metadata: { name: 'after' } });
    await time.settle();
    expect(shown(lines)).toEqual([['ADDED', 'before']]);
  });

  test('at once with a 410 when the server restarted since its version', async () => {
    const first = anApiServer();
    const { body } = await first.send('GET', path);
    const version = (body['metadata'] as { readonly resourceVersion: string }).resourceVersion;
    await first.send('POST', path, { metadata: { name: 'a' } });
    const { watch, send, time } = anApiServer({ snapshot: first.server.snapshot() });
    const { lines } = await watch(`${path}?watch=true&resourceVersion=${version}`);
    await send('POST', path, { metadata: { name: 'b' } });
    await time.settle();
    expect(lines).toMatchObject([{ type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired' } }]);
    expect(lines).toHaveLength(1);
  });

  test('not when it goes on from the version of the restart', async () => {
    const first = anApiServer();
    await first.send('POST', path, { metadata: { name: 'a' } });
    const snapshot = first.server.snapshot();
    const { watch, send, time } = anApiServer({ snapshot });
    const { lines } = await watch(`${path}?watch=true&resourceVersion=${snapshot.revision}`);
    await send('POST', path, { metadata: { name: 'b' } });
    await time.settle();
    expect(shown(lines)).toEqual([['ADDED', 'b']]);
  });
});
