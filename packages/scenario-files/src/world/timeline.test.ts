import { instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { PlayTimeline } from './timeline.ts';

test('the latest are those since an instant, and some at any rate', () => {
  let now = 0;
  const timeline = new PlayTimeline(() => instant(now));
  for (const text of ['a', 'b', 'c', 'd']) {
    timeline.add({ by: 'world', what: 'created', text });
    now += 10;
  }
  const texts = (since: number, least: number) => timeline.latest(instant(since), least).map(({ text }) => text);
  expect(texts(10, 0)).toEqual(['b', 'c', 'd']);
  expect(texts(30, 2)).toEqual(['c', 'd']);
  expect(texts(99, 3)).toEqual(['b', 'c', 'd']);
  expect(texts(99, 9)).toEqual(['a', 'b', 'c', 'd']);
});
