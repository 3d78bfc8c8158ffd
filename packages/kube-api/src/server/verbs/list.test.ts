import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const path = '/api/v1/namespaces/default/configmaps';

type Page = {
  readonly metadata: {
    readonly continue?: string;
    readonly remainingItemCount?: number;
    readonly resourceVersion: string;
  };
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
};

const namesOf = (page: Page) => page.items.map(({ metadata }) => metadata.name);

async function withSevenItems() {
  const api = anApiServer();
  for (let number = 0; number < 7; number += 1) {
    const labels = { par: number % 2 === 0 ? 'even' : 'odd' };
    await api.send('POST', path, { metadata: { name: `item-${number}`, labels } });
  }
  const list = async (query: string) => (await api.send('GET', `${path}?${query}`)).body as unknown as Page;
  return { ...api, list };
}

test('later pages show the state that the first one did', async () => {
  const { list, send } = await withSevenItems();
  const first = await list('limit=3');
  await send('POST', path, { metadata: { name: 'item-2a' } });
  await send('DELETE', `${path}/item-5`);
  const second = await list(`limit=3&continue=${first.metadata.continue}`);
  const third = await list(`limit=3&continue=${second.metadata.continue}`);
  expect(first.metadata.remainingItemCount).toBe(4);
  expect([first, second, third].map(namesOf)).toEqual([
    ['item-0', 'item-1', 'item-2'],
    ['item-3', 'item-4', 'item-5'],
    ['item-6'],
  ]);
  expect(third.metadata).toEqual({ resourceVersion: first.metadata.resourceVersion });
});

test('pages go on from one namespace to the next, and in a kind that has none', async () => {
  const { send } = anApiServer();
  const allOf = async (url: string, limit: number): Promise<readonly string[]> => {
    const names: string[] = [];
    let token = '';
    do {
      const { body } = await send('GET', `${url}?limit=${limit}&labelSelector=own${token}`);
      const page = body as unknown as Page;
      names.push(...namesOf(page));
      token = page.metadata.continue === undefined ? '' : `&continue=${page.metadata.continue}`;
    } while (token !== '');
    return names;
  };
  const labels = { own: 'true' };
  for (const name of ['alpha', 'alpha-b', 'beta']) {
    await send('POST', '/api/v1/namespaces', { metadata: { name, labels } });
    for (const item of ['one', 'two'])
      await send('POST', `/api/v1/namespaces/${name}/configmaps`, { metadata: { name: `${item}-${name}`, labels } });
  }
  expect(await allOf('/api/v1/namespaces', 2)).toEqual(['alpha', 'alpha-b', 'beta']);
  // A dash sorts before a slash.
  const inOrder = ['one-alpha-b', 'two-alpha-b', 'one-alpha', 'two-alpha', 'one-beta', 'two-beta'];
  expect(await allOf('/api/v1/configmaps', 1)).toEqual(inOrder);
  expect(await allOf('/api/v1/configmaps', 4)).toEqual(inOrder);
});

test('a page of a selection does not count what remains', async () => {
  const { list } = await withSevenItems();
  const page = await list('limit=2&labelSelector=par%3Deven');
  expect(namesOf(page)).toEqual(['item-0', 'item-2']);
  expect(page.metadata.remainingItemCount).toBeUndefined();
});

test('an exact version shows the past, a minimum one the present', async () => {
  const { list, send } = await withSevenItems();
  const { metadata } = await list('limit=1');
  await send('DELETE', `${path}/item-0`);
  const at = `resourceVersion=${metadata.resourceVersion}&resourceVersionMatch`;
  expect(namesOf(await list(`${at}=Exact`))).toContain('item-0');
  expect(namesOf(await list(`${at}=NotOlderThan`))).not.toContain('item-0');
});

test('a page at a version shows the past, a whole list the present', async () => {
  const { list, send } = await withSevenItems();
  const { metadata } = await list('limit=1');
  await send('DELETE', `${path}/item-0`);
  const version = metadata.resourceVersion;
  const page = await list(`resourceVersion=${version}&limit=2`);
  expect([namesOf(page), page.metadata.resourceVersion]).toEqual([['item-0', 'item-1'], version]);
  expect(namesOf(await list(`resourceVersion=${version}`))).not.toContain('item-0');
});

test('a token from before the compaction gets another one that goes on from there', async () => {
  const { list, send, server } = await withSevenItems();
  const first = await list('limit=3');
  await send('DELETE', `${path}/item-4`);
  server.compact();
  const refused = await send('GET', `${path}?limit=3&continue=${first.metadata.continue}`);
  expect(refused).toMatchObject({ status: 410, body: { reason: 'Expired' } });
  const token = (refused.body['metadata'] as { continue: string }).continue;
  expect(namesOf(await list(`limit=3&continue=${token}`))).toEqual(['item-3', 'item-5', 'item-6']);
});

test('a collection is deleted by selection, and tells what went', async () => {
  const { list, send } = await withSevenItems();
  const deleted = await send('DELETE', `${path}?labelSelector=par%3Dodd`);
  expect(namesOf(deleted.body as unknown as Page)).toEqual(['item-1', 'item-3', 'item-5']);
  expect(namesOf(await list(''))).toEqual(['item-0', 'item-2', 'item-4', 'item-6']);
});
