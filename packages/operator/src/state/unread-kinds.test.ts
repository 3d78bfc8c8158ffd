import { imageRules, nodes, pods, type ResourceType } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { UnreadKinds } from './unread-kinds.ts';

function track(serves: (type: ResourceType) => Promise<boolean> = async () => true) {
  const unread = new UnreadKinds({ serves });
  let changes = 0;
  unread.onChange(() => (changes += 1));
  return { unread, changes: () => changes };
}

test('a kind that is refused is unread until it is read again', async () => {
  const { unread, changes } = track();
  unread.noteRefusal(pods);
  unread.noteRefusal(imageRules);
  unread.noteRefusal(pods);
  await unread.settled();
  expect([[...unread.names()], changes()]).toEqual([['pods', 'imagerules.nodewright.dev'], 2]);
  unread.noteAnswer(pods);
  unread.noteAnswer(nodes);
  expect([[...unread.names()], changes()]).toEqual([['imagerules.nodewright.dev'], 3]);
});

test('a kind that the server does not have is not unread', async () => {
  const { unread } = track(async ({ plural }) => plural !== 'imagerules');
  unread.noteRefusal(imageRules);
  await unread.settled();
  expect(unread.names().size).toBe(0);
});

test('a server that does not say which kinds it has may have them', async () => {
  const { unread } = track(() => Promise.reject(new Error('no')));
  unread.noteRefusal(nodes);
  await unread.settled();
  expect([...unread.names()]).toEqual(['nodes']);
});

test('a kind that is read while the server is asked about it is not unread', async () => {
  const { unread } = track();
  unread.noteRefusal(nodes);
  unread.noteAnswer(nodes);
  await unread.settled();
  await Promise.resolve();
  expect(unread.names().size).toBe(0);
});
