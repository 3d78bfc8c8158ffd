import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { waitTurn } from '../time/wall.ts';
import { RecentKeys } from './recent-keys.ts';

const clock = { now: () => instant(0) };

test('the latest keys are remembered, those that are set again included', () => {
  const keys = new RecentKeys<number>(clock, 3);
  for (const [key, value] of [
    ['a', 1],
    ['b', 2],
    ['a', 3],
    ['c', 4],
    ['d', 5],
    ['d', 6],
    ['e', 7],
  ] as const)
    keys.set(key, value, 1000);
  expect(['a', 'b', 'c', 'd', 'e'].map((key) => keys.get(key))).toEqual([undefined, undefined, 4, 6, 7]);
});

test('what is replaced leaves the memory', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const keys = new RecentKeys<object>(clock, 100);
  const replaced = new WeakRef({});
  keys.set('key', replaced.deref() ?? {}, 1000);
  for (let other = 0; other < 50; other += 1) keys.set(`other-${other}`, {}, 1000);
  keys.set('key', {}, 1000);
  await waitTurn();
  collectGarbage();
  expect(replaced.deref()).toBeUndefined();
  expect(keys.get('key')).toBeDefined();
});
