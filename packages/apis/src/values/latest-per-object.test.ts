import { expect, test } from 'vitest';
import { latestPerObject } from './latest-per-object.ts';

test('the latest value of an object answers as long as its dependencies are the same', () => {
  const calls: string[] = [];
  const joined = latestPerObject(
    (node: { readonly name: string }, pool: string) => {
      calls.push(`${node.name} ${pool}`);
      return calls.length;
    },
    (before, now) => before === now,
  );
  const [first, second] = [{ name: 'a' }, { name: 'b' }];
  expect([joined(first, 'x'), joined(first, 'x'), joined(second, 'x'), joined(first, 'y'), joined(first, 'x')]).toEqual(
    [1, 1, 2, 3, 4],
  );
  expect(calls).toEqual(['a x', 'b x', 'a y', 'a x']);
});

test('equal dependencies that are other objects keep the value, and the dependencies that made it', () => {
  const sizes = latestPerObject(
    (_: object, [pods]: readonly [readonly string[]]) => [...pods],
    ([a], [b]) => a.join() === b.join(),
  );
  const node = {};
  expect(sizes(node, [['p']])).toBe(sizes(node, [['p']]));
});
