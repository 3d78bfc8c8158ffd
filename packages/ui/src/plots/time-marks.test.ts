import { expect, test } from 'vitest';
import { createTimePlaces, listTimeMarks } from './time-marks.ts';

const local = (day: number, hour: number, second = 0): number => new Date(2024, 2, day, hour, 0, second).getTime();

test('marks stand at full hours of the zone of the reader, and tell the day where one begins', () => {
  const marks = listTimeMarks({ begin: local(1, 17, 600), end: local(2, 9) }, 8);
  expect(marks.map(({ at }) => new Date(at).getHours())).toEqual([18, 21, 0, 3, 6, 9]);
  expect(marks.filter(({ words }) => !words.includes(':')).map(({ at }) => at)).toEqual([local(2, 0)]);
  expect(marks.at(-1)?.place).toBe(1);
});

test.each([1, 2, 3, 5, 8, 13])('there are never more marks than %d, however long the line of time is', (most) => {
  for (const minutes of [1, 7, 59, 600, 1_441, 20_000, 400_000]) {
    const marks = listTimeMarks({ begin: local(1, 9, 13), end: local(1, 9, 13) + minutes * 60_000 }, most);
    expect(marks.length).toBeLessThanOrEqual(most);
    expect(marks.every(({ place }) => place >= 0 && place <= 1)).toBe(true);
  }
});

test('the words of marks near the ends of the line do not reach beyond it', () => {
  const marks = listTimeMarks({ begin: local(1, 6), end: local(1, 12) }, 8);
  const anchors = marks.map(({ anchor }) => anchor);
  expect(anchors).toEqual(['start', ...anchors.slice(1, -1).map(() => 'middle'), 'end']);
});

test('marks less than a minute from each other tell the seconds', () => {
  const words = listTimeMarks({ begin: local(1, 9), end: local(1, 9, 20) }, 4).map((mark) => mark.words);
  expect(words.map((each) => each.split(':').length)).toEqual(words.map(() => 3));
  expect(new Set(words).size).toBe(words.length);
});

test('a line of one moment has no mark, and its places are its beginning', () => {
  const span = { begin: local(1, 9), end: local(1, 9) };
  expect(listTimeMarks(span, 5)).toEqual([]);
  expect(createTimePlaces(span)(span.begin)).toBe(0);
});

test('times outside a line of time have the place of its ends', () => {
  const placeOf = createTimePlaces({ begin: 1_000, end: 2_000 });
  expect([0, 1_000, 1_250, 2_000, 9_000].map(placeOf)).toEqual([0, 0, 0.25, 1, 1]);
});
