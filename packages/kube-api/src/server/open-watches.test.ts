import { expect, test } from 'vitest';
import { anApiServer } from '@nodewright/testkit/worlds';
import { OpenWatches } from './open-watches.ts';

const maps = '/api/v1/namespaces/default/configmaps';

test('too many watches are refused until one ends', () => {
  const watches = new OpenWatches(2);
  const close = watches.open();
  watches.open();
  expect(() => watches.open()).toThrow('too many requests, please try again later');
  close();
  expect(() => watches.open()).not.toThrow();
});

test('a watch of a version that is gone leaves nothing open', async () => {
  const { send, server, watch, time } = anApiServer();
  for (const name of ['a', 'b']) await send('POST', maps, { metadata: { name } });
  server.compact();
  const { lines } = await watch(`${maps}?watch=true&resourceVersion=1`);
  await time.settle();
  expect(lines.map(({ type }) => type)).toEqual(['ERROR']);
  await send('POST', maps, { metadata: { name: 'c' } });
  await time.settle();
  expect(lines).toHaveLength(1);
});
