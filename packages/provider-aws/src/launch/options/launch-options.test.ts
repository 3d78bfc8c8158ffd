import { fromTimestamp, instant, type NodeClaim, type StatusAmi } from '@nodewright/apis';
import type { InstanceType, Offering } from '@nodewright/engine';
import { virtualTime } from '@nodewright/runtime';
import { describe, expect, test } from 'vitest';
import { requirementsFrom } from '../../market/types/label-requirements.ts';
import { chooseLaunch } from './launch-options.ts';
import { UnavailableOfferings } from '../../market/unavailable-offerings.ts';

const time = virtualTime(fromTimestamp('2024-01-28T16:00:00Z'));

const buy = (capacityType: 'spot' | 'on-demand', price: number, zone = 'a', available = true): Offering => ({
  zone,
  capacityType,
  priceMicroUsdPerHour: price,
  available,
  requirements: requirementsFrom([
    ['karpenter.sh/capacity-type', [capacityType]],
    ['topology.kubernetes.io/zone', [zone]],
  ]),
});

const aType = (name: string, offerings: readonly Offering[], different: Partial<InstanceType> = {}): InstanceType => ({
  name,
  requirements: requirementsFrom([['kubernetes.io/arch', [name.startsWith('arm') ? 'arm64' : 'amd64']]]),
  offerings,
  capacity: { cpu: 2000 },
  allocatable: { cpu: 2000 },
  ...different,
});

const imageFor = (arch: string): StatusAmi => ({
  id: `ami-${arch}`,
  requirements: [{ key: 'kubernetes.io/arch', operator: 'In', values: [arch] }],
});

type Requirements = NodeClaim['spec']['requirements'];

function requestFor(types: readonly InstanceType[], requirements: Requirements = []) {
  const claim: NodeClaim = {
    metadata: { name: 'c' },
    spec: { nodeClassRef: { group: 'g', kind: 'k', name: 'n' }, requirements },
  };
  const nodeClass = {
    metadata: { name: 'n' },
    spec: { amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  };
  return { claim, attempt: 1, nodeClass, instanceTypes: types, images: [imageFor('amd64')] };
}

const chosen = (
  types: readonly InstanceType[],
  requirements: Requirements = [],
  unavailable = new UnavailableOfferings(time.clock),
) => {
  const choice = chooseLaunch(requestFor(types, requirements), unavailable);
  return choice?.options.map(({ type, offering }) => `${type.name} ${offering.capacityType} ${offering.zone}`);
};

test('spot is chosen before on demand, the cheapest first', () => {
  const types = [aType('m', [buy('spot', 30), buy('on-demand', 100)]), aType('c', [buy('spot', 20)])];
  expect(chosen(types)).toEqual(['c spot a', 'm spot a']);
});

test('on demand is chosen when the claim wants it, or spot is not to be had', () => {
  const requirements = [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['on-demand'] }] as const;
  const type = aType('m', [buy('spot', 30), buy('on-demand', 100)]);
  expect(chosen([type], requirements)).toEqual(['m on-demand a']);
  expect(chosen([aType('m', [buy('spot', 30, 'a', false), buy('on-demand', 100)])])).toEqual(['m on-demand a']);
});

test('only the zones that the claim admits are offered', () => {
  const requirements = [{ key: 'topology.kubernetes.io/zone', operator: 'NotIn', values: ['a'] }] as const;
  expect(chosen([aType('m', [buy('spot', 1, 'a'), buy('spot', 2, 'b')])], requirements)).toEqual(['m spot b']);
});

test('a zone under its beta label is the same zone', () => {
  const requirements = [
    { key: 'failure-domain.beta.kubernetes.io/zone', operator: 'In', values: ['us-east-1b'] },
  ] as const;
  const type = aType('m', [buy('spot', 1, 'us-east-1a'), buy('spot', 2, 'us-east-1b')]);
  expect(chosen([type], requirements)).toEqual(['m spot us-east-1b']);
});

test('requirements on one label hold together', () => {
  const requirements = [
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['a'] },
    { key: 'topology.kubernetes.io/zone', operator: 'In', values: ['b'] },
  ] as const;
  expect(chosen([aType('m', [buy('spot', 1, 'a'), buy('spot', 2, 'b')])], requirements)).toBe(undefined);
});

test('spot dearer than the cheapest on demand is left out', () => {
  const types = [aType('m', [buy('spot', 120), buy('on-demand', 100)]), aType('c', [buy('spot', 90)])];
  expect(chosen(types)).toEqual(['c spot a']);
});

test('exotic types are offered only when there is nothing else', () => {
  const gpu = aType('g', [buy('spot', 1)], { capacity: { 'nvidia.com/gpu': 1 } });
  const metal = aType('m5.metal', [buy('spot', 1)]);
  expect(chosen([gpu, metal, aType('m', [buy('spot', 9)])])).toEqual(['m spot a']);
  expect(chosen([gpu])).toEqual(['g spot a']);
});

test('a type without an image is not offered', () => {
  expect(chosen([aType('arm', [buy('spot', 1)]), aType('m', [buy('spot', 2)])])).toEqual(['m spot a']);
  expect(chosen([aType('arm', [buy('spot', 1)])])).toBe(undefined);
});

test('what EC2 was out of is left out for three minutes', async () => {
  const unavailable = new UnavailableOfferings(time.clock);
  const types = [aType('m', [buy('spot', 1)]), aType('c', [buy('spot', 2)])];
  unavailable.mark({ instanceType: 'm', zone: 'a', capacityType: 'spot' });
  expect(chosen(types, [], unavailable)).toEqual(['c spot a']);
  await time.run(instant(time.clock.now() + 180_000));
  expect(chosen(types, [], unavailable)).toEqual(['m spot a', 'c spot a']);
});

test('sixty types are offered at most, the cheapest', () => {
  const types = Array.from({ length: 70 }, (_, index) =>
    aType(`t${String(index).padStart(2, '0')}`, [buy('spot', index + 1)]),
  );
  expect(chosen(types)).toHaveLength(60);
  expect(chosen(types)?.at(-1)).toBe('t59 spot a');
});

describe('what is reserved comes first', () => {
  const reserved = (
    id: string,
    price: number,
    { remaining = 1, zone = 'a', type = 'default', interruptible = 'false' } = {},
  ): Offering => ({
    zone,
    capacityType: 'reserved',
    priceMicroUsdPerHour: price,
    available: true,
    reservation: { id, remaining },
    requirements: requirementsFrom([
      ['karpenter.sh/capacity-type', ['reserved']],
      ['topology.kubernetes.io/zone', [zone]],
      ['karpenter.k8s.aws/capacity-reservation-id', [id]],
      ['karpenter.k8s.aws/capacity-reservation-type', [type]],
      ['karpenter.k8s.aws/capacity-reservation-interruptible', [interruptible]],
    ]),
  });
  const ids = (...offerings: readonly Offering[]) =>
    chooseLaunch(requestFor([aType('m', offerings)]), new UnavailableOfferings(time.clock))?.options.map(
      ({ offering }) => offering.reservation?.id,
    );
  const block = { type: 'capacity-block' };
  const interruptible = { interruptible: 'true' };

  for (const { fact, offerings, chosen } of [
    { fact: 'before spot', offerings: [buy('spot', 1), reserved('cr-1', 2)], chosen: ['cr-1'] },
    { fact: 'not where there is none', offerings: [buy('on-demand', 1)], chosen: [undefined] },
    {
      fact: 'of one zone that with most room',
      offerings: [reserved('cr-1', 1), reserved('cr-2', 1, { remaining: 2 })],
      chosen: ['cr-2'],
    },
    {
      fact: 'of two zones both',
      offerings: [reserved('cr-1', 1), reserved('cr-2', 2, { zone: 'b' })],
      chosen: ['cr-1', 'cr-2'],
    },
    {
      fact: 'of the kind that has the cheapest',
      offerings: [reserved('cr-1', 2), reserved('cr-2', 1, interruptible)],
      chosen: ['cr-2'],
    },
    {
      fact: 'of the standard kind when all cost the same',
      offerings: [reserved('cr-1', 1, block), reserved('cr-2', 1, interruptible), reserved('cr-3', 1)],
      chosen: ['cr-3'],
    },
    {
      fact: 'of capacity blocks a single one',
      offerings: [reserved('cr-1', 1, { ...block, zone: 'b' }), reserved('cr-2', 1, block)],
      chosen: ['cr-1'],
    },
  ]) {
    test(fact, () => {
      expect(ids(...offerings)).toEqual(chosen);
    });
  }
});
