import { instant } from '@nodewright/apis';
import { virtualTime } from '@nodewright/runtime';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { GrantedEvictions } from './granted-evictions.ts';

test('a granted eviction is remembered for ten seconds', async () => {
  const time = virtualTime(instant(0));
  const granted = new GrantedEvictions(time.clock);
  const [one, other] = [aPod('one'), aPod('other')];
  granted.note(one);
  expect([granted.has(one), granted.has(other)]).toEqual([true, false]);
  await time.run(instant(9_999));
  granted.note(other);
  expect([granted.has(one), granted.has(other)]).toEqual([true, true]);
  await time.run(instant(10_000));
  expect([granted.has(one), granted.has(other)]).toEqual([false, true]);
});

test('an eviction that is granted again is remembered for ten seconds more', async () => {
  const time = virtualTime(instant(0));
  const granted = new GrantedEvictions(time.clock);
  const [one, other] = [aPod('one'), aPod('other')];
  granted.note(one);
  await time.run(instant(5_000));
  granted.note(other);
  granted.note(one);
  await time.run(instant(12_000));
  expect([granted.has(one), granted.has(other)]).toEqual([true, true]);
});

test('a pod without a uid is not remembered, because another one could not be told from it', () => {
  const granted = new GrantedEvictions(virtualTime(instant(0)).clock);
  const pod = aPod('one');
  const { uid: _uid, ...metadata } = pod.metadata;
  granted.note({ ...pod, metadata });
  expect(granted.has({ ...pod, metadata })).toBe(false);
});
