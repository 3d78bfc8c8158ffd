import { expect, test } from 'vitest';
import { freezeDeep } from '../storage/frozen.ts';
import { plainValue } from './plain-value.ts';

test('a value of the caller is copied, and what is frozen in it is shared', () => {
  const template = freezeDeep({ containers: [{ name: 'main', args: ['-v'] }] });
  const mine = { labels: { app: 'web' }, spec: template };
  const plain = plainValue(mine) as typeof mine;
  expect(plain).toEqual(mine);
  expect(plain.spec).toBe(template);
  expect(plain.labels).not.toBe(mine.labels);
});

for (const { fact, frozen, plain } of [
  { fact: 'an inner object that is not frozen', frozen: { inner: { a: 1 } }, plain: { inner: { a: 1 } } },
  { fact: 'a member that JSON leaves out', frozen: { a: 1, b: undefined }, plain: { a: 1 } },
  { fact: 'a number that JSON does not have', frozen: { a: Number.NaN }, plain: { a: null } },
  { fact: 'a date', frozen: { at: new Date(0) }, plain: { at: '1970-01-01T00:00:00.000Z' } },
  { fact: 'a list with a hole', frozen: { list: Object.freeze([undefined, 1]) }, plain: { list: [null, 1] } },
]) {
  test(`a frozen value is copied when it holds ${fact}`, () => {
    const given = Object.freeze(frozen);
    expect(plainValue(given)).toEqual(plain);
    expect(plainValue(given)).not.toBe(given);
  });
}
