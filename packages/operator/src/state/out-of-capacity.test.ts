import { instant, outOfCapacityOn, seconds } from '@nodewright/apis';
import { aNodeClass, worldStart } from '@nodewright/testkit/worlds';
import { expect, test } from 'vitest';
import { withMoreOutOfCapacity } from './out-of-capacity.ts';

const later = (count: number) => instant(worldStart + seconds(count));
const shortage = (zone: string, until = later(180)) => ({
  instanceType: 'm5.large',
  zone,
  capacityType: 'on-demand',
  until,
});

test('what a launch finds is added to what is written on the class', () => {
  const first = withMoreOutOfCapacity(aNodeClass(), [shortage('us-east-1a')], worldStart);
  const both = withMoreOutOfCapacity(first, [shortage('us-east-1b', later(200))], later(20));
  expect(outOfCapacityOn(both)).toEqual([shortage('us-east-1b', later(200)), shortage('us-east-1a')]);
});

test('what is known already is not written again, until it is over', () => {
  const known = withMoreOutOfCapacity(aNodeClass(), [shortage('us-east-1a')], worldStart);
  expect(withMoreOutOfCapacity(known, [shortage('us-east-1a', later(240))], later(60))).toBe(known);
  expect(withMoreOutOfCapacity(known, [], later(60))).toBe(known);
  const anew = withMoreOutOfCapacity(known, [shortage('us-east-1a', later(400))], later(220));
  expect(outOfCapacityOn(anew)).toEqual([shortage('us-east-1a', later(400))]);
});
