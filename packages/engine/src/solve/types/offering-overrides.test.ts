import type { Pod } from '@nodewright/apis';
import { anInstanceType, aNodePool, aPod, aProblem, simpleSchedule, withOverrides } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { InstanceType, Offering } from '../../instance-types/instance-type.ts';
import { claimFor } from '../nodes/node-claim.ts';
import { resourcesThrough, variantsOf } from '../../instance-types/offering-overrides.ts';
import type { NewNode, SchedulingProblem } from '../problem.ts';
import { printedReason } from '../why/printed-reasons.ts';
import { schedulePods } from '../round/schedule.ts';

const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const device = 'example.com/device';

const problem = (types: readonly InstanceType[], ...pods: readonly Pod[]): SchedulingProblem => aProblem(pods, types);

const asking = (amount: number, name = 'p') => aPod(name, { requests: { cpu: '1', [device]: String(amount) } });
const devices = (amount: number) => ({ capacity: { [device]: amount } });
const inZone = (name: string) => (offering: Offering) => offering.zone === name;
const onSpot = ({ capacityType: type }: Offering) => type === 'spot';

const plain = anInstanceType('plain');
const special = withOverrides(anInstanceType('special'), inZone('zone-b'), devices(2));

const valuesOf = ({ requirements }: NewNode, key: string) => [...(requirements.get(key)?.values ?? [])].toSorted();
const namesOf = ({ instanceTypes }: NewNode) => instanceTypes.map(({ name }) => name);

describe('SCH-29: a resource that is only in the override of an offering', () => {
  test('is had from types with the override alone, and the node is bought where they have it', () => {
    const { newNodes, unschedulable } = schedulePods(problem([plain, special], asking(2)));
    expect(unschedulable).toEqual([]);
    expect(newNodes.map((node) => [namesOf(node), valuesOf(node, zone)])).toEqual([[['special'], ['zone-b']]]);
    expect(newNodes[0]?.instanceTypes[0]?.offerings.map((each) => each.zone)).toEqual(['zone-b', 'zone-b']);
  });

  test('pins the zone in the claim', () => {
    const { newNodes } = schedulePods(problem([plain, special], asking(1)));
    const written = newNodes.flatMap((node) => claimFor(node).spec.requirements);
    expect(written).toContainEqual({ key: zone, operator: 'In', values: ['zone-b'] });
  });

  test('pins the capacity type where that tells', () => {
    const spot = withOverrides(anInstanceType('special'), onSpot, devices(2));
    const { newNodes } = schedulePods(problem([spot], asking(1)));
    expect(newNodes.map((node) => valuesOf(node, capacityType))).toEqual([['spot']]);
    expect(newNodes.map((node) => valuesOf(node, zone))).toEqual([[]]);
  });

  test('leaves the cheapest way where no one label tells', () => {
    const crossed = withOverrides(
      anInstanceType('crossed'),
      (each) => each.zone === 'zone-a' || (onSpot(each) && each.zone === 'zone-b'),
      devices(2),
    );
    const { newNodes } = schedulePods(problem([crossed], asking(1)));
    expect(newNodes.map((node) => [valuesOf(node, zone), valuesOf(node, capacityType)])).toEqual([
      [['zone-a'], ['spot']],
    ]);
  });

  test.each([
    { fact: 'is had from no offering that is not available', isThere: false, amount: 1 },
    { fact: 'is had up to the amount of the override', isThere: true, amount: 3 },
  ])('$fact', ({ isThere, amount }) => {
    const offerings = special.offerings.map((each) => ({ ...each, available: isThere || each.zone !== 'zone-b' }));
    const given = problem([plain, { ...special, offerings }], asking(amount));
    expect(schedulePods(given).unschedulable.map(({ pod }) => pod.metadata.name)).toEqual(['p']);
    expect(simpleSchedule(given).unschedulable).toEqual(['p']);
  });

  test('is had from no pool that is kept out of the zone', () => {
    const nodePool = aNodePool('default', { requirements: [{ key: zone, operator: 'In', values: ['zone-a'] }] });
    const given = { ...problem([], asking(1)), nodePools: [{ nodePool, instanceTypes: [plain, special] }] };
    expect(schedulePods(given).newNodes).toEqual([]);
  });

  test('is had from another node when the pods together are too much', () => {
    const { newNodes } = schedulePods(problem([special], asking(2, 'p'), asking(1, 'q')));
    expect(newNodes.map(({ pods }) => pods.length)).toEqual([1, 1]);
  });
});

test('a pod that does without may have every offering, and the type is named once', () => {
  const { newNodes } = schedulePods(problem([special], aPod('p', { requests: { cpu: '1' } })));
  expect(newNodes.map((node) => [namesOf(node), valuesOf(node, zone)])).toEqual([[['special'], []]]);
  expect(newNodes[0]?.instanceTypes[0]?.offerings).toHaveLength(special.offerings.length);
});

test('an override that takes away keeps pods from its offerings', () => {
  const less = withOverrides(anInstanceType('less'), inZone('zone-a'), { overhead: { cpu: 3_500 } });
  const { newNodes } = schedulePods(problem([less], aPod('p', { requests: { cpu: '2' } })));
  expect(newNodes.map((node) => valuesOf(node, zone))).toEqual([['zone-b', 'zone-c']]);
});

test('why a pod has no place counts the type once', () => {
  const [left] = schedulePods(problem([plain, special], asking(3))).unschedulable;
  expect(left?.reasons.map(printedReason).join()).toContain(`2 types; 0 after ${device} 3 (the most is 2)`);
});

describe('what a node has that is bought through an offering', () => {
  const type = {
    capacity: { cpu: 4_000, memory: 1_000, pods: 10 },
    allocatable: { cpu: 3_900, memory: 800, pods: 10 },
  };

  test.each([
    { fact: 'is what the type has', overrides: {}, ...type },
    {
      fact: 'is of other capacity less what the type keeps back',
      overrides: { capacity: { cpu: 2_000 } },
      capacity: { ...type.capacity, cpu: 2_000 },
      allocatable: { ...type.allocatable, cpu: 1_900 },
    },
    {
      fact: 'is less what the offering keeps back',
      overrides: { overhead: { memory: 500 } },
      capacity: type.capacity,
      allocatable: { ...type.allocatable, memory: 500 },
    },
    {
      fact: 'is of less memory where huge pages are set aside',
      overrides: { capacity: { 'hugepages-2Mi': 300 } },
      capacity: { ...type.capacity, 'hugepages-2Mi': 300 },
      allocatable: { ...type.allocatable, 'hugepages-2Mi': 300, memory: 500 },
    },
    {
      fact: 'is never less than nothing',
      overrides: { capacity: { 'hugepages-2Mi': 900 } },
      capacity: { ...type.capacity, 'hugepages-2Mi': 900 },
      allocatable: { ...type.allocatable, 'hugepages-2Mi': 900, memory: 0 },
    },
  ])('$fact', ({ overrides, capacity, allocatable }) => {
    expect(resourcesThrough(type, { overrides })).toEqual({ capacity, allocatable });
  });
});

test('equal overrides are one variant, after the type without any', () => {
  const variants = variantsOf(withOverrides(special, inZone('zone-c'), devices(2)));
  expect(variants.map(({ type }) => type.offerings.map((each) => each.zone))).toEqual([
    ['zone-a', 'zone-a'],
    ['zone-b', 'zone-b', 'zone-c', 'zone-c'],
  ]);
});
