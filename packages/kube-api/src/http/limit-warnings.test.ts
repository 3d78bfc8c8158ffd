import { expect, test } from 'vitest';
import { limitWarnings } from './limit-warnings.ts';

test('a few warnings are sent as they are, each once', () => {
  expect(limitWarnings(['a', 'b', 'a'])).toEqual(['a', 'b']);
});

test('long warnings are cut when they are too long together', () => {
  expect(limitWarnings(['a'.repeat(4000), 'b'.repeat(200)])).toEqual(['a'.repeat(256), 'b'.repeat(200)]);
});

test('warnings without room are left out', () => {
  const many = Array.from({ length: 100_000 }, (_, index) => `unknown field "field-${index}"`);
  const sent = limitWarnings(many);
  expect(sent.join('').length).toBeLessThanOrEqual(4096);
  expect(sent).toEqual(many.slice(0, sent.length));
});
