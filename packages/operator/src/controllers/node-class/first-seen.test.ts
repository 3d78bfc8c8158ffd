import { fromTimestamp, nodewrightAnnotations } from '@nodewright/apis';
import { aNodeClass, anImage } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { firstSeenAnnotation, firstSeenOf, withSeen } from './first-seen.ts';

const at = (day: string) => fromTimestamp(`${day}T00:00:00Z`);
const named = (id: string, day: string) => anImage(id, { namedSince: at(day) });

const remembering = (text: string) => {
  const nodeClass = aNodeClass();
  const annotations = { [nodewrightAnnotations.imagesFirstSeen]: text };
  return firstSeenOf({ ...nodeClass, metadata: { ...nodeClass.metadata, annotations } });
};

test('what was seen survives a restart in an annotation', () => {
  const memory = withSeen(new Map(), [named('ami-1', '2024-02-01'), named('ami-2', '2024-02-06')]);
  const text = firstSeenAnnotation(memory)[nodewrightAnnotations.imagesFirstSeen] ?? '';
  expect(text).toBe('{"ami-2":"2024-02-06T00:00:00Z","ami-1":"2024-02-01T00:00:00Z"}');
  expect(remembering(text)).toEqual(memory);
});

test('an image that is named again was first seen when it was first named', () => {
  const memory = withSeen(new Map([['ami-1', at('2024-02-01')]]), [named('ami-1', '2024-02-20')]);
  expect(memory.get('ami-1')).toBe(at('2024-02-01'));
});

test('images that no moving parameter names are not remembered', () => {
  expect(firstSeenAnnotation(withSeen(new Map(), [anImage('ami-1')]))).toEqual({});
});

test('the memory keeps the forty images seen last', () => {
  const images = Array.from({ length: 50 }, (_, n) =>
    anImage(`ami-${n}`, { namedSince: fromTimestamp(new Date(n * 1000).toISOString()) }),
  );
  const memory = withSeen(new Map(), images);
  expect(memory.size).toBe(40);
  expect(memory.has('ami-9')).toBe(false);
});

for (const text of ['', 'nonsense', '[]', '{"ami-1":"soon"}', '{"ami-1":5}']) {
  test(`a memory that reads ${JSON.stringify(text)} is none`, () => {
    expect(remembering(text).size).toBe(0);
  });
}
