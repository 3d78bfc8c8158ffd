import { expect, test } from 'vitest';
import { compileCondition, ExpressionError, type FactSource } from './compile-expression.ts';
import { explainCondition } from './explain-value.ts';
import { createFact, createTextMap, durationBetween } from './facts.ts';

const node = (name: string, fields: Readonly<Record<string, unknown>>) => createFact('nodes', { name, ...fields });
const age = durationBetween(new Date(0), new Date(5_400_000));

const facts: FactSource = (name) =>
  name === 'nodes'
    ? [
        node('a', { ready: true, price: 1.5, pods: 3n, age, labels: createTextMap({ team: 'web' }) }),
        node('b', { ready: false, price: 2.25, pods: 0n, age, labels: createTextMap({}) }),
      ]
    : new Date('2026-03-02T08:00:00Z');

for (const [text, value] of [
  ['nodes.all(n, n.ready)', false],
  ['nodes.size() == 2', true],
  ['nodes.exists(n, n.labels.team == "web")', true],
  ['nodes.all(n, n.labels.team == "web")', false],
  ['nodes.filter(n, n.labels.team != "").size() == 1', true],
  ['nodes.map(n, n.price).sum() > 3.7', true],
  ['nodes.map(n, n.pods).max() == 3', true],
  ['nodes.all(n, n.age > duration("1h"))', true],
  ['now - nodes[0].age < now', true],
] as const) {
  test(`${text} is ${value}`, () => {
    expect(compileCondition(text).evaluate(facts)).toEqual({ kind: 'value', value });
  });
}

for (const [text, at, message] of [
  ['nodes.all(n, n.redy)', 15, 'no field "redy"; did you mean ready?'],
  ['nods.size() > 0', 0, 'there is no "nods"; did you mean nodes?'],
  ['nodes.al(n, n.ready)', 9, 'no list has "al"; did you mean all?'],
  ['nodes.size()', 0, 'is a number; write a condition, something that is true or false, such as nodes.size() <= 3'],
  ['nodes.filter(n, n.pods == "a").size() == 0', 16, 'no such overload: int == string'],
  ['nodes.all(n, n.age < duration("2d"))', 21, 'the duration "2d" has units that CEL lacks; write 48h'],
  ['nodes.all(n, "team" in n.labels)', 20, 'write n.labels["NAME"] != ""'],
  ['nodes.all(n, n.ready', 20, 'Expected RPAREN, got EOF'],
] as const) {
  test(`${text} is refused at ${at}`, () => {
    const refused = (): unknown => compileCondition(text);
    expect(refused).toThrow(ExpressionError);
    expect(refused).toThrow(message);
    try {
      refused();
    } catch (error) {
      expect((error as ExpressionError).complaint.at).toBe(at);
    }
  });
}

test('a condition that is not true is explained by its parts', () => {
  const explained = explainCondition(compileCondition('nodes.all(n, n.ready) && nodes.size() >= 3'), facts);
  expect(explained).toEqual([
    { text: 'nodes.filter(n, !(n.ready))', value: '1: b' },
    { text: 'nodes.size()', value: '2' },
    { text: 'nodes', value: '2: a, b' },
  ]);
});

test('an expression says what it reads', () => {
  const { reads, dependsOnTime } = compileCondition(
    'nodes.all(n, n.name != "pods") && now > timestamp("2026-01-01T00:00:00Z")',
  );
  expect(reads).toEqual(['nodes', 'now']);
  expect(dependsOnTime).toBe(true);
});
