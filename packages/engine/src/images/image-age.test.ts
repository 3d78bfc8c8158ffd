import { fromTimestamp, instant, type Instant } from '@nodewright/apis';
import { anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { matureAt, outSince } from './image-age.ts';

const at = (day: string): Instant => fromTimestamp(`2024-02-${day}T00:00:00Z`);
const never: ReadonlyMap<string, Instant> = new Map();
const image = anImage('a', { created: '2024-02-01' });
const day = 86_400_000;

test.each([
  ['its publication', { ...image, publishedAt: at('05'), namedSince: at('03') }, never, at('05'), 'publication'],
  ['when it was first seen', image, new Map([['a', at('04')]]), at('04'), 'sight'],
  ['when it was named', { ...image, namedSince: at('03') }, never, at('03'), 'sight'],
  ['the earlier of both', { ...image, namedSince: at('06') }, new Map([['a', at('04')]]), at('04'), 'sight'],
  ['its creation', image, new Map([['b', at('04')]]), at('01'), 'creation'],
] as const)('an image is out since %s', (_, found, firstSeen, since, by) => {
  expect(outSince(found, firstSeen)).toEqual({ at: since, by });
});

test('a pinned image is old enough at any time, one of a family by its publication, an own one by its creation', () => {
  const published = { ...image, publishedAt: at('05') };
  const minimumAgeMs = 10 * day;
  expect(matureAt(published, { kind: 'explicit' }, never)).toBe(-Infinity);
  expect(matureAt(published, { kind: 'latest', minimumAgeMs }, never)).toBe(instant(at('05') + minimumAgeMs));
  expect(matureAt(published, { kind: 'own', minimumAgeMs }, never)).toBe(instant(at('01') + minimumAgeMs));
});
