import { expect, test } from 'vitest';
import { resultTypeOf } from './result-type.ts';

for (const [expression, type] of [
  ['object.spec.paused', 'dyn'],
  ['oldObject.x[0]', 'dyn'],
  ['params.x', 'dyn'],
  ['object.spec.a ? object.spec.b : true', 'dyn'],
  ['object.spec.a ? true : false', 'bool'],
  ['object.spec.a || object.spec.b', 'bool'],
  ['!object.spec.a', 'bool'],
  ["'a' in object.x", 'bool'],
  ['object.x.all(c, c.y)', 'bool'],
  ["'a'", 'string'],
  ['string(object.x)', 'string'],
  ['size(object.x)', 'int'],
  ['object.x.size()', 'int'],
  ['1.5', 'double'],
  ['request.dryRun', undefined],
  ['variables.v', undefined],
  ["authorizer.group('').resource('pods').check('get').allowed()", undefined],
  ['object.x +', undefined],
] as const) {
  test(`${expression} is ${type ?? 'not known'}`, () => {
    expect(resultTypeOf(expression)).toBe(type);
  });
}
