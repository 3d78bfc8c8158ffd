import { expect, test } from 'vitest';
import { ObjectNotes } from './object-notes.ts';

test('a note belongs to one object, and the latest one stands', () => {
  const notes = new ObjectNotes<object, string>();
  const [pod, copy] = [{ name: 'web' }, { name: 'web' }];
  expect(notes.of(pod)).toBeUndefined();
  notes.write(pod, 'read');
  notes.write(pod, 'checked');
  expect([notes.of(pod), notes.of(copy)]).toEqual(['checked', undefined]);
});
