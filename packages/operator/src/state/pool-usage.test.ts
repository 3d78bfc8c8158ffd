import { aNode } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { PoolUsage } from './pool-usage.ts';

test('the usage of a pool is what its nodes have, without those that leave', () => {
  const usage = new PoolUsage();
  const [one, other] = [aNode('a'), aNode('b')];
  usage.replace(undefined, one);
  usage.replace(undefined, other);
  usage.replace(undefined, aNode('c', { markedForDeletion: true }));
  expect(usage.of('default')).toMatchObject({ nodes: 2, cpu: 8_000 });
  usage.replace(other, { ...other, markedForDeletion: true });
  expect(usage.of('default')).toMatchObject({ nodes: 1, cpu: 4_000 });
  usage.replace(one, undefined);
  expect(usage.of('default')).toEqual({});
});
