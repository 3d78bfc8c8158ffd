import type { NodeOverlay } from '@nodewright/apis';
import { aNodeOverlay, aNodePool, anInstanceType } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { evaluateOverlays } from './evaluate-overlays.ts';

const instanceType = 'node.kubernetes.io/instance-type';
const capacityType = 'karpenter.sh/capacity-type';
const zone = 'topology.kubernetes.io/zone';

const instanceTypes = [anInstanceType('small'), anInstanceType('large', { cpu: 16 })];
const supplies = [
  { nodePool: aNodePool('default', { labels: { team: 'a' } }), instanceTypes },
  { nodePool: aNodePool('other', { labels: { team: 'b' } }), instanceTypes },
];

const evaluated = (...overlays: readonly NodeOverlay[]) => evaluateOverlays(overlays, supplies);
const kindsOf = (...overlays: readonly NodeOverlay[]) =>
  Object.fromEntries([...evaluated(...overlays).verdicts].map(([name, { kind }]) => [name, kind]));

test('nothing is said of no overlays', () => {
  expect(evaluated()).toEqual({ accepted: [], verdicts: new Map() });
});

test('an overlay by itself counts', () => {
  const overlay = aNodeOverlay('o', { price: '1', of: { [instanceType]: ['small'] } });
  expect(evaluated(overlay)).toEqual({ accepted: [overlay], verdicts: new Map([['o', { kind: 'accepted' }]]) });
});

test('overlays are looked at by weight, then by name, from the end', () => {
  const overlays = [
    aNodeOverlay('a'),
    aNodeOverlay('c', { weight: 1 }),
    aNodeOverlay('b'),
    aNodeOverlay('d', { weight: 10 }),
  ];
  expect(evaluated(...overlays).accepted.map(({ metadata }) => metadata.name)).toEqual(['d', 'c', 'b', 'a']);
});

describe('an overlay is invalid', () => {
  test.each([
    {
      fact: 'with a label key that is none',
      overlay: { of: { '/bad': ['x'] } },
      message: /label key \/bad/,
    },
    {
      fact: 'with a restricted label',
      overlay: { of: { 'karpenter.sh/registered': ['true'] } },
      message: /restricted/,
    },
    { fact: 'with a value that no label has', overlay: { of: { team: ['a b'] } }, message: /value a b of label team/ },
    {
      fact: 'with NotIn and no values',
      overlay: { requirements: [{ key: 'team', operator: 'NotIn' as const }] },
      message: /NotIn of label team needs at least one value/,
    },
    {
      fact: 'with Gt of a word',
      overlay: { requirements: [{ key: 'team', operator: 'Gt' as const, values: ['x'] }] },
      message: /operator Gt/,
    },
    {
      fact: 'with no capacity type that there is',
      overlay: { of: { [capacityType]: ['ondemand'] } },
      message: /names none of on-demand, spot, reserved: ondemand/,
    },
    { fact: 'with a capacity of cpu', overlay: { capacity: { cpu: '4' } }, message: /capacity cpu comes from/ },
    { fact: 'with an amount that is none', overlay: { capacity: { 'example.com/x': 'many' } }, message: /not many/ },
    { fact: 'with two prices', overlay: { price: '1', priceAdjustment: '+1' }, message: /exclude each other/ },
    { fact: 'with a price that is none', overlay: { price: '-1' }, message: /not -1/ },
  ])('$fact', ({ overlay, message }) => {
    const { accepted, verdicts } = evaluated(aNodeOverlay('o', overlay));
    expect(accepted).toEqual([]);
    expect(verdicts.get('o')).toMatchObject({ kind: 'invalid', message: expect.stringMatching(message) as string });
  });
});

describe('of two overlays of the same weight, the first in the alphabet is turned down', () => {
  test.each([
    { fact: 'on one type', a: { [instanceType]: ['small'] }, b: { [instanceType]: ['small', 'large'] } },
    { fact: 'on one zone', a: { [zone]: ['zone-a'] }, b: { [zone]: ['zone-a', 'zone-b'] } },
    { fact: 'on one capacity type', a: { [capacityType]: ['spot'] }, b: {} },
    { fact: 'on labels that share offerings', a: { [zone]: ['zone-a'] }, b: { [capacityType]: ['spot'] } },
    { fact: 'on one pool', a: { team: ['a'] }, b: {} },
  ])('when their prices meet $fact, even if they are the same', ({ a, b }) => {
    const [first, second] = [aNodeOverlay('a', { price: '1', of: a }), aNodeOverlay('b', { price: '1', of: b })];
    expect(kindsOf(first, second)).toEqual({ a: 'conflict', b: 'accepted' });
  });

  test('when they give one resource to one type', () => {
    const capacity = { 'example.com/device': '1' };
    expect(
      kindsOf(aNodeOverlay('a', { capacity }), aNodeOverlay('b', { capacity, of: { [instanceType]: ['small'] } })),
    ).toEqual({ a: 'conflict', b: 'accepted' });
  });

  test('and says with which one and over what', () => {
    const { verdicts } = evaluated(
      aNodeOverlay('a', { price: '1' }),
      aNodeOverlay('b', {
        price: '1',
        of: { [instanceType]: ['small'], [zone]: ['zone-b'], [capacityType]: ['spot'] },
      }),
    );
    expect(verdicts.get('a')).toEqual({
      kind: 'conflict',
      message:
        'NodeOverlay b has the same weight of 0 and speaks of the price of small (spot, zone-b) in NodePool default too',
    });
  });
});

describe('overlays do not conflict', () => {
  const device = { 'example.com/device': '1' };
  const price = '1';
  test.each([
    {
      fact: 'with other types',
      a: { price, of: { [instanceType]: ['small'] } },
      b: { price, of: { [instanceType]: ['large'] } },
    },
    { fact: 'with other zones', a: { price, of: { [zone]: ['zone-a'] } }, b: { price, of: { [zone]: ['zone-b'] } } },
    { fact: 'with other pools', a: { price, of: { team: ['a'] } }, b: { price, of: { team: ['b'] } } },
    { fact: 'with other weights', a: { price }, b: { price, weight: 1 } },
    { fact: 'with a price and a capacity', a: { price }, b: { capacity: device } },
    { fact: 'with other resources', a: { capacity: device }, b: { capacity: { 'example.com/other': '1' } } },
  ])('$fact', ({ a, b }) => {
    expect(kindsOf(aNodeOverlay('a', a), aNodeOverlay('b', b))).toEqual({ a: 'accepted', b: 'accepted' });
  });

  test('with one that was turned down', () => {
    const all = aNodeOverlay('b', { price: '1' });
    const zoneA = aNodeOverlay('c', { price: '1', of: { [zone]: ['zone-a'] } });
    const zoneB = aNodeOverlay('a', { price: '1', of: { [zone]: ['zone-b'] } });
    expect(kindsOf(all, zoneA, zoneB)).toEqual({ c: 'accepted', b: 'conflict', a: 'accepted' });
  });
});

test('a third overlay is held against every other one, not against the last alone', () => {
  expect(
    kindsOf(
      aNodeOverlay('c', { capacity: { 'example.com/x': '1' } }),
      aNodeOverlay('b', { capacity: { 'example.com/y': '1' } }),
      aNodeOverlay('a', { capacity: { 'example.com/x': '2' } }),
    ),
  ).toEqual({ c: 'accepted', b: 'accepted', a: 'conflict' });
});

test('the order in which overlays, pools and types come changes nothing', () => {
  const overlays = [
    aNodeOverlay('a', { price: '1' }),
    aNodeOverlay('b', { price: '2' }),
    aNodeOverlay('c', { weight: 3 }),
  ];
  const forwards = evaluateOverlays(overlays, supplies);
  const backwards = evaluateOverlays(overlays.toReversed(), supplies.toReversed());
  expect(backwards).toEqual(forwards);
});
