import { expect, test } from 'vitest';
import { rewriteObjectLiterals } from './object-literals.ts';

test.each([
  ['Object{}', '{}'],
  ['Object{spec: Object.spec{replicas: 3}}', '{"spec": {"replicas": 3}}'],
  ['JSONPatch{op: "add", path: "/a", value: {"b": c}}', '{"op": "add", "path": "/a", "value": {"b": c}}'],
  ['Object{a: x ? y : z, b: [f(p, q), r]}', '{"a": x ? y : z, "b": [f(p, q), r]}'],
  ['Object.spec{ x__dash__y: 1, __namespace__: 2, `a.b/c`: 3 }', '{ "x-y": 1, "namespace": 2, "a.b/c": 3 }'],
  ['"Object{a: 1}" + r"JSONPatch{op: 1}"', '"Object{a: 1}" + r"JSONPatch{op: 1}"'],
  ['myObject.size() > 0 && Object.x == 1', 'myObject.size() > 0 && Object.x == 1'],
  ['{a: Object{b: 1}, c: 2}', '{a: {"b": 1}, c: 2}'],
])('%s becomes %s', (expression, rewritten) => {
  expect(rewriteObjectLiterals(expression)).toBe(rewritten);
});
