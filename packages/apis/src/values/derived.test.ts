import { expect, test } from 'vitest';
import { oncePerObject, oncePerPair } from './derived.ts';

test('a value is worked out once for each object, undefined included', () => {
  const calls: string[] = [];
  const lengthOf = oncePerObject(({ name }: { readonly name: string }) => {
    calls.push(name);
    return name === '' ? undefined : name.length;
  });
  const [empty, one, other] = [{ name: '' }, { name: 'node' }, { name: 'node' }];
  expect([empty, empty, one, one, other].map(lengthOf)).toEqual([undefined, undefined, 4, 4, 4]);
  expect(calls).toEqual(['', 'node', 'node']);
});

test('a value of two objects is worked out once for each pair', () => {
  const calls: string[] = [];
  const joined = oncePerPair((a: { readonly name: string }, b: { readonly name: string }) => {
    calls.push(a.name + b.name);
    return calls.length;
  });
  const [pod, node] = [{ name: 'p' }, { name: 'n' }];
  expect([joined(pod, node), joined(pod, node), joined(node, pod)]).toEqual([1, 1, 2]);
  expect(calls).toEqual(['pn', 'np']);
});

test('a change in place of what a value was worked out from, or of the value, throws in a test', () => {
  const namesOf = oncePerObject(({ names }: { readonly names: string[] }) => names.toSorted());
  const source = { names: ['b', 'a'] };
  const names = namesOf(source);
  expect(() => source.names.push('c')).toThrow(TypeError);
  expect(() => names.push('c')).toThrow(TypeError);
  expect(namesOf(source)).toEqual(['a', 'b']);
});
