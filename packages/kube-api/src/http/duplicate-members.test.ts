import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { duplicateMembers } from './duplicate-members.ts';

for (const [text, paths] of [
  ['{"a":1,"b":{"a":2}}', []],
  ['{"a":1,"a":2,"a":3}', ['a']],
  ['{"spec":{"x":[{"k":1},{"k":1,"k":2}]}}', ['spec.x[1].k']],
  ['{"a":"{\\"b\\":1,\\"b\\":2}","b":","}', []],
  ['{"a\\u0062":1,"ab":2}', ['ab']],
] as const) {
  test(`${text} has ${paths.length === 0 ? 'no member twice' : `${paths.join(', ')} twice`}`, () => {
    expect(duplicateMembers(text)).toEqual(paths);
  });
}

test('what JSON.stringify writes never has a member twice', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      expect(duplicateMembers(JSON.stringify(JSON.parse(text)))).toEqual([]);
    }),
  );
});
