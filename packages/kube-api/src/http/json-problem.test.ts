import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonProblem } from './json-problem.ts';

const end = 'unexpected end of JSON input';

/** What `json.Unmarshal` of Go says of these texts. */
describe('the first problem of a text', () => {
  test.each<readonly [string, string]>([
    ['', end],
    ['  \n', end],
    ['{', end],
    ['[', end],
    ['{"a"', end],
    ['{"a":', end],
    ['{"a":1', end],
    ['{"a":1,', end],
    ['[1,', end],
    ['"ab', end],
    ['"ab\\', end],
    ['"\\u12', end],
    ['tru', end],
    ['-', end],
    ['1.', end],
    ['1e', end],
    ['1e+', end],
    ['{"a":}', "invalid character '}' looking for beginning of value"],
    ['[1,]', "invalid character ']' looking for beginning of value"],
    [',', "invalid character ',' looking for beginning of value"],
    ['hello', "invalid character 'h' looking for beginning of value"],
    ["'a'", "invalid character '\\'' looking for beginning of value"],
    ['\u0081', "invalid character '\u0081' looking for beginning of value"],
    ['{a:1}', "invalid character 'a' looking for beginning of object key string"],
    ['{"a":1,}', "invalid character '}' looking for beginning of object key string"],
    ['{1:2}', "invalid character '1' looking for beginning of object key string"],
    ['{"a" 1}', "invalid character '1' after object key"],
    ['{"a":1 "b":2}', `invalid character '"' after object key:value pair`],
    ['[1 2]', "invalid character '2' after array element"],
    ['[{}}', "invalid character '}' after array element"],
    ['{} x', "invalid character 'x' after top-level value"],
    ['01', "invalid character '1' after top-level value"],
    ['nope', "invalid character 'o' in literal null (expecting 'u')"],
    ['falsy', "invalid character 'y' in literal false (expecting 'e')"],
    ['"a\nb"', "invalid character '\\n' in string literal"],
    ['{"a\tb":1}', "invalid character '\\t' in string literal"],
    ['"\\x"', "invalid character 'x' in string escape code"],
    ['"\\u12g4"', "invalid character 'g' in \\u hexadecimal character escape"],
    ['-a', "invalid character 'a' in numeric literal"],
    ['1.x', "invalid character 'x' after decimal point in numeric literal"],
    ['1e-x', "invalid character 'x' in exponent of numeric literal"],
  ])('of %j is %s', (text, problem) => expect(jsonProblem(text)).toBe(problem));

  test('is found behind a million brackets', () => {
    expect(jsonProblem('['.repeat(1_000_000))).toBe(end);
    expect(jsonProblem(`${'['.repeat(1_000_000)}}`)).toBe("invalid character '}' looking for beginning of value");
  });
});

/** A text that something was cut out of or put into. */
const damaged = fc.tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', '\\', '-', 'e', '\n', 'x'));

test('whatever JSON.parse refuses has a problem, and what it reads ends at the end', () => {
  fc.assert(
    fc.property(damaged, ([written, place, inserted]) => {
      const at = place % (written.length + 1);
      const text = written.slice(0, at) + inserted + written.slice(at + (inserted === '' ? 1 : 0));
      const problem = jsonProblem(text);
      if (isReadable(text)) expect(problem).toBe(end);
      else expect(problem).toMatch(/^(unexpected end of JSON input|invalid character '.+' \w+)/);
    }),
  );
});

function isReadable(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
