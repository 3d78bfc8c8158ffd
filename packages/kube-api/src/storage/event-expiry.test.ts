import { instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';

const path = '/api/v1/namespaces/default/events';
const minute = 60_000;

const event = (name: string) => ({
  metadata: { name },
  involvedObject: { kind: 'Pod', name: 'web', namespace: 'default' },
  reason: 'Tested',
  type: 'Normal',
});

type Api = ReturnType<typeof anApiServer>;

const namesIn = async (api: Api): Promise<readonly string[]> => {
  const { items } = (await api.send('GET', path)).body as { items: readonly { metadata: { name: string } }[] };
  return items.map(({ metadata }) => metadata.name);
};

const pass = (api: Api, minutes: number): Promise<void> =>
  api.time.run(instant(api.time.clock.now() + minutes * minute));

test('an event is forgotten an hour after it was last written, and watches hear of it', async () => {
  const api = anApiServer();
  await api.send('POST', path, event('once'));
  await api.send('POST', path, event('twice'));
  await pass(api, 30);
  const merge = { 'content-type': 'application/merge-patch+json' };
  await api.send('PATCH', `${path}/twice`, { count: 2 }, merge);
  const { lines } = await api.watch(`${path}?watch=true`);
  await pass(api, 29);
  expect(await namesIn(api)).toEqual(['once', 'twice']);
  await pass(api, 2);
  expect(await namesIn(api)).toEqual(['twice']);
  expect(lines.at(-1)).toMatchObject({ type: 'DELETED', object: { metadata: { name: 'once' } } });
  await pass(api, 30);
  expect(await namesIn(api)).toEqual([]);
});

test('events of a world whose time flies past stay for an hour of those who read them', async () => {
  const readers = virtualTime(instant(0));
  const api = anApiServer({ callersClock: readers.clock });
  await api.send('POST', path, event('old'));
  await pass(api, 10_000);
  expect(await namesIn(api)).toEqual(['old']);
  await readers.run(instant(61 * minute));
  expect(await namesIn(api)).toEqual([]);
});
