import { describe, expect, test } from 'vitest';
import { mergeRecords, readOwn, writeOwn } from './own-property.ts';

const inherited = [...Object.getOwnPropertyNames(Object.prototype), '__proto__'];

describe.each(inherited)('the word %s', (word) => {
  test('is absent from a record that does not have it', () => {
    expect(readOwn({}, word)).toBeUndefined();
    expect(readOwn(undefined, word)).toBeUndefined();
  });

  test('is read from a record that was parsed with it', () => {
    const record: Record<string, unknown> = JSON.parse(`{ ${JSON.stringify(word)}: "1" }`);
    expect(readOwn(record, word)).toBe('1');
    expect(readOwn({ ...record }, word)).toBe('1');
  });

  test('is written as a member and changes no prototype', () => {
    const record: Record<string, unknown> = {};
    writeOwn(record, word, { a: 1 });
    expect(JSON.stringify(record)).toBe(`{${JSON.stringify(word)}:{"a":1}}`);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  test('survives a merge, and the later value wins', () => {
    const merged = mergeRecords([Object.fromEntries([[word, '1']]), undefined, Object.fromEntries([[word, '2']])]);
    expect(Object.entries(merged)).toEqual([[word, '2']]);
  });
});
