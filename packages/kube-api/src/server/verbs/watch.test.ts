import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
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
