import { expect, test } from 'vitest';
import { MessageChannel } from './channel.ts';

async function readAll(channel: MessageChannel<number>): Promise<readonly number[]> {
  const messages: number[] = [];
  for await (const message of channel) messages.push(message);
  return messages;
}

test('a reader that is too slow gets what waits and then the end', async () => {
  let closed = 0;
  const channel = new MessageChannel<number>(() => (closed += 1));
  channel.push(1);
  channel.limitWaiting(2);
  for (const message of [2, 3, 4, 5]) channel.push(message);
  expect(closed).toBe(1);
  expect(await readAll(channel)).toEqual([1, 2, 3]);
});

test('a reader that keeps up is never cut off', async () => {
  const channel = new MessageChannel<number>(() => {});
  channel.limitWaiting(1);
  const reader = channel[Symbol.asyncIterator]();
  for (const message of [1, 2, 3]) {
    channel.push(message);
    expect(await reader.next()).toEqual({ done: false, value: message });
  }
});

test('messages that are handed over come one at a time and in order, and the end comes after them', async () => {
  const turns: (() => void)[] = [];
  const channel = new MessageChannel<number>(
    () => {},
    (work) => turns.push(work),
  );
  const read: (number | 'end')[] = [];
  const reading = readAll(channel).then((messages) => read.push(...messages, 'end'));
  for (const message of [1, 2, 3]) channel.push(message);
  channel.close();
  expect(turns).toHaveLength(1);
  for (let turn = 0; turn < 3; turn += 1) turns.shift()?.();
  expect(turns).toEqual([]);
  await reading;
  expect(read).toEqual([1, 2, 3, 'end']);
});
