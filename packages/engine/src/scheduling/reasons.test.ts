import { aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printedReasons } from './reasons.ts';
import { schedule } from './schedule.ts';

const refusedBy = (nodePools: readonly ReturnType<typeof aNodePool>[]) => {
  const types = [anInstanceType('c4', { cpu: 4 }), anInstanceType('g8', { cpu: 8, arch: 'arm64' })];
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
