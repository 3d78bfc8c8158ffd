import { describe, expect, test } from 'vitest';
import type { JsonValue } from '../json.ts';
import type { ValueSchema } from '../structural.ts';
import { CelEngine } from './engine.ts';
import type { RuleEvaluation } from './programs.ts';

const engine = new CelEngine();
const texts: ValueSchema = { type: 'array', items: { type: 'string' } };
const free: ValueSchema = { 'x-kubernetes-preserve-unknown-fields': true };

const evaluate = (rule: string, self: JsonValue, schema: ValueSchema = free) =>
  withoutCost(engine.compile({ rule }, schema).evaluate({ self }));

const withoutCost = ({ cost: _cost, ...evaluation }: RuleEvaluation) => evaluation;

describe.each([
  { fact: 'a missing member', rule: 'self.a == 1', self: {}, error: 'no such key: a' },
  { fact: 'a missing item', rule: "self[1] == 'x'", self: ['x'], error: 'index out of bounds: 1' },
  {
    fact: 'a word for a number',
    rule: 'int(self[0]) > 0',
    self: ['x'],
    error: "type conversion error from 'string' to 'int'",
  },
  {
    fact: 'no text for a number',
    rule: 'int(self[0]) >= 0',
    self: [''],
    error: "type conversion error from 'string' to 'int'",
  },
  {
    fact: 'a number beyond 64 bits',
    rule: 'int(self[0]) > 0',
    self: ['9223372036854775808'],
    error: "type conversion error from 'string' to 'int'",
  },
])('an expression over $fact', ({ rule, self, error }) => {
  test('fails in the words of the server', () => {
    expect(evaluate(rule, self)).toEqual({ kind: 'failed', error });
  });
});

test.each([
  { rule: "self.matches('^[a-z]+$')", self: 'abc', value: true },
  { rule: "self.find('^([^/]+)').endsWith('karpenter.sh')", self: 'foo.karpenter.sh/x', value: true },
  { rule: "self.split('@')[1] == 'latest'", self: 'al2023@latest', value: true },
  { rule: "self == 'matches('", self: 'matches(', value: true },
  { rule: 'self.all(x, int(x) >= 0)', self: ['007', '+5', '-0'], value: true },
  { rule: 'quantity(self).isGreaterThan(quantity("1Gi"))', self: '1025Mi', value: true },
  { rule: "self.findAll('[0-9]').size() == 2", self: 'a1b2', value: true },
])('$rule holds for $self', ({ rule, self, value }) => {
  expect(evaluate(rule, self)).toEqual({ kind: 'value', value });
});

test('a pattern that would send a backtracking engine astray takes no time', () => {
  expect(evaluate("self.matches('^(a+)+$')", `${'a'.repeat(40)}b`)).toEqual({ kind: 'value', value: false });
});

test('integers keep 64 bits and compare with literals', () => {
  const schema: ValueSchema = { type: 'object', properties: { n: { type: 'integer' } } };
  expect(evaluate('self.n + 1 == 6 && self.n / 2 == 2', { n: 5 }, schema)).toEqual({ kind: 'value', value: true });
});

test('members whose names are no identifiers are reached by their escaped names', () => {
  const schema: ValueSchema = { properties: { 'a-b': { type: 'string' }, namespace: { type: 'string' } } };
  const rule = "self.a__dash__b == 'x' && self.__namespace__ == 'y'";
  expect(evaluate(rule, { 'a-b': 'x', namespace: 'y' }, schema)).toEqual({ kind: 'value', value: true });
});

test('an optional oldSelf is there on create and has no value', () => {
  const rule = engine.compile({ rule: '!oldSelf.hasValue() || oldSelf.value() == self', optionalOldSelf: true }, texts);
  expect(rule.evaluate({ self: ['a'] })).toMatchObject({ kind: 'value', value: true });
  expect(rule.evaluate({ self: ['a'], oldSelf: ['b'] })).toMatchObject({ kind: 'value', value: false });
});

test('text that is no expression is refused when it is compiled', () => {
  expect(() => engine.compile({ rule: 'self.a ==' }, free)).toThrow(SyntaxError);
});

describe('the cost of an expression', () => {
  const items = (count: number): JsonValue => Array.from({ length: count }, (_, index) => `item-${index}`);
  const costOf = (rule: string, count: number): number =>
    engine.compile({ rule }, texts).evaluate({ self: items(count) }).cost;

  test('grows with its loops, and with what an operation goes through', () => {
    expect(costOf('self.all(a, a.size() > 0)', 200) / costOf('self.all(a, a.size() > 0)', 100)).toBeCloseTo(2, 0);
    expect(costOf('self.all(a, a in self)', 200) / costOf('self.all(a, a in self)', 100)).toBeCloseTo(4, 0);
  });

  test.each([
    { rule: 'self.all(a, self.all(b, self.all(c, self.all(d, a + b + c + d != ""))))' },
    { rule: 'self.all(a, a in self)' },
    { rule: 'self.exists(a, self.all(b, self.all(c, a != b || b != c || true))) || true' },
    { rule: 'self.map(a, self.map(b, self.map(c, a + b + c))).size() > 0' },
  ])('ends $rule, whatever it makes of the error', ({ rule }) => {
    expect(evaluate(rule, items(20_000), texts)).toEqual({
      kind: 'tooCostly',
      error: 'operation cancelled: actual cost limit exceeded',
    });
  });

  test('starts anew with each evaluation', () => {
    evaluate('self.all(a, self.all(b, a != b || true))', items(20_000), texts);
    expect(evaluate('self.size() == 2', items(2), texts)).toEqual({ kind: 'value', value: true });
  });
});
