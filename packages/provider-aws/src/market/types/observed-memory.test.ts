import { days, instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { ObservedMemories } from './observed-memory.ts';

const gib = 2 ** 30;
const pair = { instanceType: 'm5.large', imageId: 'ami-1' };

function someMemories() {
  let now = instant(0);
  const memories = new ObservedMemories({ now: () => now });
  return { memories, pass: (ms: number) => void (now = instant(now + ms)) };
}

test('the smallest of several reports counts', () => {
  const { memories } = someMemories();
  for (const share of [0.96, 0.95, 0.97]) memories.report(pair, share * 8 * gib);
  expect(memories.find(pair, 8 * gib)).toBe(0.95 * 8 * gib);
});

test('a report is about its type and its image only', () => {
  const { memories } = someMemories();
  memories.report(pair, 7.6 * gib);
  expect(memories.find({ ...pair, imageId: 'ami-2' }, 8 * gib)).toBeUndefined();
  expect(memories.find({ ...pair, instanceType: 'm5a.large' }, 8 * gib)).toBeUndefined();
});

for (const { fact, bytes } of [
  { fact: 'more than EC2 names', bytes: 8 * gib + 1 },
  { fact: 'far less than EC2 names', bytes: 6 * gib },
]) {
  test(`a report of ${fact} has no effect`, () => {
    const { memories } = someMemories();
    memories.report(pair, bytes);
    expect(memories.find(pair, 8 * gib)).toBeUndefined();
  });
}

test('a report is remembered for 60 days, and longer when it is repeated', () => {
  const { memories, pass } = someMemories();
  memories.report(pair, 7.6 * gib);
  pass(days(59));
  memories.report(pair, 7.7 * gib);
  pass(days(59));
  expect(memories.find(pair, 8 * gib)).toBe(7.6 * gib);
  pass(days(1));
  expect(memories.find(pair, 8 * gib)).toBeUndefined();
});

test('the pairs that were not seen for longest are forgotten when there are too many', () => {
  const { memories } = someMemories();
  for (let at = 0; at <= 5_000; at += 1) memories.report({ ...pair, imageId: `ami-${at}` }, 7.6 * gib);
  expect(memories.find({ ...pair, imageId: 'ami-0' }, 8 * gib)).toBeUndefined();
  expect(memories.find({ ...pair, imageId: 'ami-1' }, 8 * gib)).toBe(7.6 * gib);
});

test('the version changes when an answer may', () => {
  const { memories } = someMemories();
  memories.report(pair, 7.6 * gib);
  const before = memories.version();
  memories.report(pair, 7.7 * gib);
  expect(memories.version()).toBe(before);
  memories.report(pair, 7.5 * gib);
  expect(memories.version()).not.toBe(before);
});
