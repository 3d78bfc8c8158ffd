import { expect, test } from 'vitest';
import { freezeShared } from './freeze-shared.ts';

for (const { fact, change } of [
  { fact: 'a field', change: (value: Shared) => (value.name = 'b') },
  { fact: 'a field of an inner object', change: (value: Shared) => (value.labels['zone'] = 'b') },
  { fact: 'a list', change: (value: Shared) => value.names.push('b') },
  { fact: 'a map', change: (value: Shared) => value.byName.set('b', { zones: new Set() }) },
  { fact: 'a set in a map', change: (value: Shared) => value.byName.get('a')?.zones.add('b') },
] as const) {
  test(`a change of ${fact} throws once the value is frozen, and leaves it as it is`, () => {
    const value = aValue();
    freezeShared(value);
    expect(() => change(value)).toThrow(TypeError);
    expect(value).toEqual(aValue());
  });
}

test('a value that holds itself is frozen, and an object of a class keeps its own state', () => {
  const counter = new Counter();
  const value: { self?: object; readonly counter: Counter } = { counter };
  value.self = value;
  freezeShared(value);
  counter.count += 1;
  expect(Object.isFrozen(value)).toBe(true);
  expect(counter.count).toBe(1);
});

class Counter {
  count = 0;
}

type Shared = {
  name: string;
  readonly labels: Record<string, string>;
  readonly names: string[];
  readonly byName: Map<string, { readonly zones: Set<string> }>;
};

const aValue = (): Shared => ({
  name: 'a',
  labels: { zone: 'a' },
  names: ['a'],
  byName: new Map([['a', { zones: new Set(['a']) }]]),
});
