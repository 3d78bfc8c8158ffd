import { expect, test } from 'vitest';
import { splitTimes } from './split-times.ts';

const joined = (text: string): string =>
  splitTimes(text)
    .map((part) => (part.isTime ? `<${part.text}>` : part.text))
    .join('');

test('times are found wherever they stand, and everything else stays', () => {
  expect(joined('held until 2024-03-01T08:00:00Z, since 2024-02-01T08:00:00.123Z')).toBe(
    'held until <2024-03-01T08:00:00Z>, since <2024-02-01T08:00:00.123Z>',
  );
  expect(joined('2024-03-01T08:00:00Z')).toBe('<2024-03-01T08:00:00Z>');
  expect(joined('image v20240807 of 2024-03-01')).toBe('image v20240807 of 2024-03-01');
  expect(joined('')).toBe('');
});
