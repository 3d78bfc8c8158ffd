import { expect, test } from 'vitest';
import { days, hours, minutes, seconds } from '@nodewright/apis';
import { printSpan, quoteWord } from './print-result.ts';

test.each([
  [0, '0s'],
  [400, '0s'],
  [600, '1s'],
  [seconds(50), '50s'],
  [minutes(15), '15m'],
  [minutes(15) + seconds(30), '15m30s'],
  [hours(2), '2h'],
  [hours(2) + seconds(3), '2h0m3s'],
  [days(1) - 400, '1d'],
  [days(1) - 600, '23h59m59s'],
  [days(2), '2d'],
  [days(2) + hours(3), '2d3h'],
  [days(2) + minutes(1), '2d1m'],
])('%i ms are %s', (ms, text) => expect(printSpan(ms)).toBe(text));

test.each([
  ['a.yaml', 'a.yaml'],
  ['./a/b-c_d:e@f=g', './a/b-c_d:e@f=g'],
  ['two words', "'two words'"],
  ["it's", String.raw`'it'\''s'`],
  ['$HOME', "'$HOME'"],
  ['', "''"],
])('a shell reads %j as it is when it is written %s', (text, word) => expect(quoteWord(text)).toBe(word));
