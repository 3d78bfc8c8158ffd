import type { NodeOverlay } from '@nodewright/apis';
import { aNodeOverlay, aNodePool, anInstanceType, reservedOffering, withOverrides } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { InstanceType } from '../instance-types/instance-type.ts';
import { overlaidTypes } from './overlaid-types.ts';
import { heaviestOverlayFirst } from './overlay-order.ts';

const instanceType = 'node.kubernetes.io/instance-type';
const capacityType = 'karpenter.sh/capacity-type';
const zone = 'topology.kubernetes.io/zone';
const pool = aNodePool('default', { labels: { team: 'a' } });

const small = anInstanceType('small', {
  offerings: [
    ['zone-a', 'on-demand', 100_000],
    ['zone-b', 'on-demand', 100_000],
    ['zone-a', 'spot', 40_000],
  ],
});
const large = anInstanceType('large', { cpu: 16, offerings: [['zone-a', 'on-demand', 400_000]] });

const overlaid = (types: readonly InstanceType[], ...overlays: readonly NodeOverlay[]) =>
  overlaidTypes(pool, types, overlays.toSorted(heaviestOverlayFirst));

const pricesOf = ({ offerings }: InstanceType) => offerings.map((each) => each.priceMicroUsdPerHour);

describe('a price', () => {
  test.each([
    { fact: 'is replaced', spec: { price: '0.05' }, is: 50_000 },
    { fact: 'is replaced by nothing', spec: { price: '0' }, is: 0 },
    { fact: 'grows by an amount', spec: { priceAdjustment: '+0.02' }, is: 120_000 },
    { fact: 'shrinks by an amount', spec: { priceAdjustment: '-.02' }, is: 80_000 },
    { fact: 'grows by a share', spec: { priceAdjustment: '+150%' }, is: 250_000 },
    { fact: 'shrinks by a share', spec: { priceAdjustment: '-12.5%' }, is: 87_500 },
    { fact: 'is nothing after all of it is taken off', spec: { priceAdjustment: '-100%' }, is: 0 },
    { fact: 'is never below nothing', spec: { priceAdjustment: '-5' }, is: 0 },
    { fact: 'stays without a word on it', spec: { capacity: { 'example.com/device': '1' } }, is: 100_000 },
  ])('$fact', ({ spec, is }) => {
    const [changed] = overlaid([small], aNodeOverlay('o', { ...spec, of: { [zone]: ['zone-b'] } }));
    expect(changed?.offerings[1]?.priceMicroUsdPerHour).toBe(is);
  });

  test.each([
    { fact: 'of types', of: { [instanceType]: ['small'] }, are: [[1, 1, 1], [400_000]] },
    { fact: 'of capacity types', of: { [capacityType]: ['on-demand'] }, are: [[1, 1, 40_000], [1]] },
    { fact: 'of zones', of: { [zone]: ['zone-b'] }, are: [[100_000, 1, 40_000], [400_000]] },
    { fact: 'of a pool', of: { 'karpenter.sh/nodepool': ['default'] }, are: [[1, 1, 1], [1]] },
    {
      fact: 'of another pool',
      of: { 'karpenter.sh/nodepool': ['other'] },
      are: [[100_000, 100_000, 40_000], [400_000]],
    },
    { fact: 'of pools with a label', of: { team: ['a'] }, are: [[1, 1, 1], [1]] },
    { fact: 'of pools with another label', of: { team: ['b'] }, are: [[100_000, 100_000, 40_000], [400_000]] },
    { fact: 'of a label that nobody has', of: { color: ['red'] }, are: [[100_000, 100_000, 40_000], [400_000]] },
    { fact: 'of everything', of: {}, are: [[1, 1, 1], [1]] },
  ])('is changed only for offerings $fact', ({ of, are }) => {
    const changed = overlaid([small, large], aNodeOverlay('o', { price: '0.000001', of }));
    expect(changed.map(pricesOf)).toEqual(are);
  });

  test('is that of the heaviest overlay, offering by offering', () => {
    const changed = overlaid(
      [small],
      aNodeOverlay('all', { price: '1' }),
      aNodeOverlay('spot', { price: '2', weight: 5, of: { [capacityType]: ['spot'] } }),
      aNodeOverlay('zone-b', { priceAdjustment: '+10%', weight: 9, of: { [zone]: ['zone-b'] } }),
    );
    expect(changed[0]?.offerings.map((each) => [each.priceMicroUsdPerHour, each.overlaidBy])).toEqual([
      [1_000_000, 'all'],
      [110_000, 'zone-b'],
      [2_000_000, 'spot'],
    ]);
  });

  test('of reserved capacity changes like any other', () => {
    const reserved = anInstanceType('r', {
      offerings: [reservedOffering('cr-1', 2), ['zone-a', 'on-demand', 100_000]],
    });
    const changed = overlaid([reserved], aNodeOverlay('o', { price: '0.5', of: { [capacityType]: ['reserved'] } }));
    expect(changed.map(pricesOf)).toEqual([[500_000, 100_000]]);
  });
});

describe('a type without a public price', () => {
  const unknown: InstanceType = {
    ...large,
    offerings: large.offerings.map((each) => ({
      ...each,
      available: false,
      unpriced: true,
      priceMicroUsdPerHour: 0,
    })),
  };
  const named = { [instanceType]: ['large'] };

  test.each([
    { fact: 'can be launched once an overlay prices it by its name', overlay: { price: '2', of: named }, is: true },
    { fact: 'cannot for an adjustment', overlay: { priceAdjustment: '+2', of: named }, is: false },
    { fact: 'cannot for a price that asks more', overlay: { price: '2', of: { ...named, team: ['a'] } }, is: false },
    { fact: 'cannot for a price of other things', overlay: { price: '2', of: { [zone]: ['zone-a'] } }, is: false },
  ])('$fact', ({ overlay, is }) => {
    const [offering] = overlaid([unknown], aNodeOverlay('o', overlay))[0]?.offerings ?? [];
    expect(offering?.available).toBe(is);
    expect(offering?.priceMicroUsdPerHour).toBe(is ? 2_000_000 : 0);
  });

  test('costs what a heavier overlay makes of that price', () => {
    const [type] = overlaid(
      [unknown],
      aNodeOverlay('base', { price: '2', of: named }),
      aNodeOverlay('discount', { priceAdjustment: '-50%', weight: 3 }),
    );
    expect(type?.offerings[0]).toMatchObject({ priceMicroUsdPerHour: 1_000_000, overlaidBy: 'discount' });
  });

  test('stays out of reach where EC2 is out of it', () => {
    const { unpriced: _, ...soldOut } = unknown.offerings[0] as NonNullable<(typeof unknown.offerings)[0]>;
    const [type] = overlaid([{ ...unknown, offerings: [soldOut] }], aNodeOverlay('o', { price: '2', of: named }));
    expect(type?.offerings[0]?.available).toBe(false);
  });
});

describe('a capacity', () => {
  const device = 'example.com/device';

  test('is added to what pods can have of the type, all of it as soon as one offering is meant', () => {
    const overlay = aNodeOverlay('o', { capacity: { [device]: '3' }, of: { [zone]: ['zone-b'] } });
    const [changed, other] = overlaid([small, large], overlay);
    expect([changed?.capacity[device], changed?.allocatable[device]]).toEqual([3, 3]);
    expect(changed?.overlaidBy).toEqual(['o']);
    expect(other).toBe(large);
  });

  test('of several overlays is that of the heaviest, resource by resource', () => {
    const [changed] = overlaid(
      [small],
      aNodeOverlay('light', { capacity: { [device]: '1', 'example.com/other': '2' } }),
      aNodeOverlay('heavy', { capacity: { [device]: '7' }, weight: 2 }),
    );
    expect(changed?.capacity).toMatchObject({ [device]: 7, 'example.com/other': 2 });
    expect(changed?.overlaidBy).toEqual(['heavy', 'light']);
  });

  test('and a price come together on one type', () => {
    const [changed] = overlaid(
      [large],
      aNodeOverlay('price', { price: '0.3' }),
      aNodeOverlay('device', { capacity: { [device]: '1' } }),
    );
    expect([changed?.offerings[0]?.priceMicroUsdPerHour, changed?.capacity[device]]).toEqual([300_000, 1]);
  });

  test('of huge pages is taken from the memory that pods can have', () => {
    const [changed] = overlaid([small], aNodeOverlay('o', { capacity: { 'hugepages-2Mi': '1Gi' } }));
    expect(changed?.allocatable['memory']).toBe((small.allocatable['memory'] ?? 0) - 2 ** 30);
    expect(changed?.capacity['memory']).toBe(small.capacity['memory']);
  });
});

test('a copy keeps everything that the overlay does not speak of', () => {
  const limited = { ...small, attachLimits: new Map([['ebs.csi.aws.com', 27]]) };
  const [changed] = overlaid([limited], aNodeOverlay('o', { price: '1', capacity: { 'example.com/device': '1' } }));
  expect(changed?.attachLimits).toBe(limited.attachLimits);
  expect(changed?.requirements).toBe(limited.requirements);
  expect(changed?.offerings[0]?.requirements).toBe(limited.offerings[0]?.requirements);
});

test('offerings keep what they have otherwise than the type when their price or the type changes', () => {
  const overrides = { capacity: { 'example.com/device': 2 } };
  const own = withOverrides(small, (each) => each.zone === 'zone-b', overrides);
  const [changed] = overlaid([own], aNodeOverlay('o', { price: '1', capacity: { 'example.com/other': '1' } }));
  expect(changed?.offerings.map((each) => each.overrides)).toEqual([undefined, overrides, undefined]);
});

test('a list that no overlay changes stays the very same', () => {
  const types = [small, large];
  expect(overlaid(types, aNodeOverlay('o', { price: '1', of: { team: ['b'] } }))).toBe(types);
  expect(overlaid(types)).toBe(types);
});

test('pools do not see what is said of others', () => {
  const overlay = aNodeOverlay('o', { price: '1', of: { team: ['a'] } });
  expect(overlaidTypes(aNodePool('other'), [small], [overlay])[0]).toBe(small);
});
