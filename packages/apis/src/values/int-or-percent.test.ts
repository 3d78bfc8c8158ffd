import { expect, test } from 'vitest';
import { parseIntOrPercent, resolveIntOrPercent } from './int-or-percent.ts';

test('a percentage is rounded as told, a count stands for itself', () => {
  const tenPercent = parseIntOrPercent('10%');
  expect(resolveIntOrPercent(tenPercent, 4, 'up')).toBe(1);
  expect(resolveIntOrPercent(tenPercent, 4, 'down')).toBe(0);
  expect(resolveIntOrPercent(tenPercent, 40, 'up')).toBe(4);
  expect(resolveIntOrPercent(parseIntOrPercent(7), 4, 'up')).toBe(7);
  expect(resolveIntOrPercent(parseIntOrPercent('7'), 4, 'up')).toBe(7);
});

test('anything but a count or a percentage is refused', () => {
  for (const text of ['', '-1', '1.5', '10 %', '%', 'all', -1]) {
    expect(() => parseIntOrPercent(text)).toThrow('is not a count such as 3 or a percentage such as 10%');
  }
});
