import { expect, test } from 'vitest';
import { nodewrightAnnotations } from '../karpenter/labels.ts';
import { fromTimestamp, instant } from '../kubernetes/meta.ts';
import { outOfCapacityOn, outOfCapacityText } from './out-of-capacity.ts';

const until = fromTimestamp('2024-06-01T12:03:00Z');
const m5 = { instanceType: 'm5.large', zone: 'a', capacityType: 'spot', until };
const classWith = (text: string | undefined) => ({
  metadata: { name: 'default', annotations: text === undefined ? {} : { [nodewrightAnnotations.outOfCapacity]: text } },
});

test('types of one zone and time are written together', () => {
  const c5 = { ...m5, instanceType: 'c5.large', until: instant(until + 500) };
  expect(outOfCapacityText([m5, c5, { ...m5, zone: 'b' }])).toBe(
    '[{"until":"2024-06-01T12:03:00Z","capacityType":"spot","zone":"a","instanceTypes":["c5.large","m5.large"]},{"until":"2024-06-01T12:03:00Z","capacityType":"spot","zone":"b","instanceTypes":["m5.large"]}]',
  );
});

test('what was written is read again, and written again alike', () => {
  const text = outOfCapacityText([m5, { ...m5, zone: 'b', until: instant(until + 60_999) }]);
  const read = outOfCapacityOn(classWith(text));
  expect(read).toContainEqual(m5);
  expect(outOfCapacityText(read)).toBe(text);
});

test.each([
  undefined,
  '',
  'no JSON',
  '{}',
  'null',
  '[null]',
  '[{"until":"soon","capacityType":"spot","zone":"a","instanceTypes":[]}]',
])('an annotation that says %s says nothing', (text) => {
  expect(outOfCapacityOn(classWith(text))).toEqual([]);
});

test('thousands of types do not make the annotation larger than an object may be', () => {
  const many = Array.from({ length: 6_000 }, (_, index) => ({ ...m5, instanceType: `m${index}.32xlarge` }));
  expect(outOfCapacityText(many)?.length).toBeLessThan(60_000);
});
