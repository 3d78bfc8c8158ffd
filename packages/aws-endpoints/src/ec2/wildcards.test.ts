import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesWildcards, parseWildcards } from './wildcards.ts';

const matches = (pattern: string, text: string): boolean => matchesWildcards(parseWildcards(pattern), text);

test.each([
  { pattern: '', text: '', is: true },
  { pattern: '*', text: '', is: true },
  { pattern: 'al2023-*-x86_64', text: 'al2023-ami-1-x86_64', is: true },
  { pattern: 'al2023-*-x86_64', text: 'al2023-ami-1-arm64', is: false },
  { pattern: 'm?.large', text: 'm5.large', is: true },
  { pattern: 'm?.large', text: 'm.large', is: false },
  { pattern: String.raw`a\*b`, text: 'a*b', is: true },
  { pattern: String.raw`a\*b`, text: 'axb', is: false },
  { pattern: 'a.c', text: 'abc', is: false },
  { pattern: '*\n*', text: 'a\nb', is: true },
])('"$pattern" matches "$text": $is', ({ pattern, text, is }) => {
  expect(matches(pattern, text)).toBe(is);
});

test('a pattern with its stars replaced by texts matches the result', () => {
  const piece = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
  fc.assert(
    fc.property(fc.array(fc.tuple(piece, piece), { maxLength: 5 }), piece, (parts, end) => {
      const pattern = `${parts.map(([fixed]) => `${fixed}*`).join('')}${end}`;
      const text = `${parts.map(([fixed, any]) => fixed + any).join('')}${end}`;
      expect(matches(pattern, text)).toBe(true);
    }),
    { seed: 14 },
  );
});

test('many stars end', () => {
  expect(matches(`${'*a'.repeat(5_000)}b`, 'a'.repeat(20_000))).toBe(false);
});
