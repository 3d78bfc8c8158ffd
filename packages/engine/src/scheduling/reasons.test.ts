import { fromTimestamp } from '@nodewright/apis';
import { aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { InstanceType, Shortage } from './instance-type.ts';
import { printedReasons } from './reasons.ts';
import { schedule } from './schedule.ts';

const someTypes = [anInstanceType('c4', { cpu: 4 }), anInstanceType('g8', { cpu: 8, arch: 'arm64' })];

const refusedBy = (nodePools: readonly ReturnType<typeof aNodePool>[], types: readonly InstanceType[] = someTypes) => {
  const { unschedulable } = schedule({
    nodePools: nodePools.map((nodePool) => ({ nodePool, instanceTypes: types })),
    nodes: [],
    pods: [aPod('p', { requests: { cpu: 4 }, nodeSelector: { 'kubernetes.io/arch': 'amd64' } })],
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
  });
  return unschedulable.flatMap(({ reasons }) => printedReasons(reasons));
};

test('the funnel ends in the constraint that leaves nothing, and what would be possible', () => {
  expect(refusedBy([aNodePool()])[0]).toMatch(
    /2 types; 1 after kubernetes\.io\/arch In \[amd64\]; 0 after cpu 4 \(the most is 3900m\)$/,
  );
});

const shortOf = (type: InstanceType, shortage: Shortage): InstanceType => ({
  ...type,
  offerings: type.offerings.map((offering) => ({ ...offering, available: false, shortage })),
});
const until = fromTimestamp('2024-06-01T12:03:00Z');
const outOfCapacity = { cause: 'out of capacity', fix: 'allow other types', until };
const noImage = { cause: 'no selected image is for amd64', fix: 'select one' };

test.each([
  {
    shortage: outOfCapacity,
    says: 'out of capacity in zone-a, zone-b, zone-c until 2024-06-01T12:03:00Z: allow other types',
  },
  { shortage: noImage, says: 'no selected image is for amd64: select one' },
])('a type that would do but is short is told with its cause: $shortage.cause', ({ shortage, says }) => {
  const short = shortOf(anInstanceType('c8', { cpu: 8 }), shortage);
  expect(refusedBy([aNodePool()], [short])).toEqual([
    `NodePool default: 1 type meets the requirements of the pool, 0 with an offering that can be bought now: ${says}`,
  ]);
  const [among] = refusedBy([aNodePool()], [...someTypes, short]);
  expect(among).toContain(`; 0 after what can be bought there now (${says})`);
});

test('a type that would not do anyway is not told as short', () => {
  const small = shortOf(anInstanceType('c2', { cpu: 2 }), outOfCapacity);
  expect(refusedBy([aNodePool()], [...someTypes, small])).toEqual(refusedBy([aNodePool()]));
});

test('forty pools that refuse alike are one line', () => {
  const pools = Array.from({ length: 40 }, (_, index) => aNodePool(`pool-${index}`, { labels: { team: `${index}` } }));
  const alike = pools.map(({ metadata }) => aNodePool(metadata.name));
  expect(refusedBy(alike).length).toBe(1);
});

test('forty pools that each refuse for a reason of their own fit on a screen', () => {
  const pools = Array.from({ length: 40 }, (_, index) =>
    aNodePool(`pool-${index}`, { taints: [{ key: `team-${index}`, effect: 'NoSchedule' }] }),
  );
  expect(refusedBy(pools).length).toBeLessThan(25);
  expect(refusedBy(pools).at(-1)).toBe('and 20 more NodePools with other reasons');
});
