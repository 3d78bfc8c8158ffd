import type { Pod } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from './schedule.ts';

// What Karpenter gets wrong and we do not; docs/compatibility.md lists each.

const zone = 'topology.kubernetes.io/zone';
const capacityType = 'karpenter.sh/capacity-type';
const web = { app: 'web' };

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, [anInstanceType('c8', { cpu: 8 })]),
  ...more,
});

const zoneSpread = (key = zone) => ({
  topologyKey: key,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule' as const,
  labelSelector: { matchLabels: web },
});

const zonesOf = ({ newNodes }: ReturnType<typeof schedulePods>) =>
  newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])]);

test('spreads that differ in minDomains alone count by themselves', () => {
  const spreading = (name: string, minDomains?: number) =>
    aPod(name, {
      labels: web,
      nodeSelector: { [zone]: 'zone-a' },
      topologySpreadConstraints: [{ ...zoneSpread(), ...(minDomains === undefined ? {} : { minDomains }) }],
    });
  // With fewer zones than wanted the least count is zero, so only one pod more may come to a zone.
  const standing = aNode('busy', {
    zone: 'zone-a',
    pods: [aPod('other', { nodeName: 'busy', labels: web })],
    allocatable: { cpu: '0', memory: '0', pods: '0' },
  });
  const { newNodes } = schedulePods(round([spreading('plain'), spreading('wanting', 9)], { nodes: [standing] }));
  expect(newNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['plain']);
});

test('spreads of pods that select different nodes count by themselves', () => {
  const selecting = (name: string, value: string) =>
    aPod(name, { labels: web, nodeSelector: { [capacityType]: value }, topologySpreadConstraints: [zoneSpread()] });
  const pods = [1, 2, 3].flatMap((n) => [selecting(`spot-${n}`, 'spot'), selecting(`on-demand-${n}`, 'on-demand')]);
  const types = [anInstanceType('single', { pods: 1 })];
  const { newNodes } = schedulePods(round(pods, { nodePools: [{ nodePool: aNodePool(), instanceTypes: types }] }));
  const zonesWith = (value: string) =>
    newNodes
      .filter(({ requirements }) => requirements.get(capacityType)?.values.has(value))
      .flatMap(({ requirements }) => [...(requirements.get(zone)?.values ?? [])])
      .toSorted();
  expect([zonesWith('spot'), zonesWith('on-demand')]).toEqual([
    ['zone-a', 'zone-b', 'zone-c'],
    ['zone-a', 'zone-b', 'zone-c'],
  ]);
});

test('a spread counts new nodes for labels that they will get from their instance type', () => {
  const pods = somePods(3, 'web', {
    labels: web,
    nodeSelector: { 'kubernetes.io/arch': 'amd64' },
    topologySpreadConstraints: [zoneSpread()],
  });
  const { newNodes } = schedulePods(
    round(pods, { nodePools: [{ nodePool: aNodePool(), instanceTypes: [anInstanceType('single', { pods: 1 })] }] }),
  );
  expect(
    zonesOf({ newNodes } as ReturnType<typeof schedulePods>)
      .flat()
      .toSorted(),
  ).toEqual(['zone-a', 'zone-b', 'zone-c']);
});

test('a spread counts pods on new nodes that its own pods would be admitted to, whoever they are', () => {
  const on = (arch: string) => ({ nodeSelector: { 'kubernetes.io/arch': arch } });
  // The pool says nothing of architectures: only the instance type will.
  const others = somePods(2, 'other', { labels: web, requests: { cpu: 1 }, nodeSelector: { [zone]: 'zone-a' } });
  const spread = aPod('spread', { labels: web, ...on('amd64'), topologySpreadConstraints: [zoneSpread()] });
  const types = [anInstanceType('single', { pods: 1 })];
  const { newNodes } = schedulePods(
    round([...others, spread], { nodePools: [{ nodePool: aNodePool(), instanceTypes: types }] }),
  );
  const zones = newNodes
    .filter(({ pods }) => pods.includes(spread))
    .flatMap(({ requirements }) => [...(requirements.get(zone)?.values ?? [])]);
  expect(zones).not.toContain('zone-a');
});

test('spreads that differ in maxSkew alone count by themselves', () => {
  const spreading = (name: string, maxSkew: number) =>
    aPod(name, {
      labels: web,
      nodeSelector: { [zone]: 'zone-a' },
      topologySpreadConstraints: [{ ...zoneSpread(), maxSkew, nodeAffinityPolicy: 'Ignore' }],
    });
  const standing = aNode('busy', {
    zone: 'zone-a',
    pods: [aPod('other', { nodeName: 'busy', labels: web })],
    allocatable: { cpu: '0', memory: '0', pods: '0' },
  });
  const { newNodes } = schedulePods(round([spreading('a-strict', 1), spreading('b-loose', 2)], { nodes: [standing] }));
  expect(newNodes.flatMap(({ pods }) => pods.map(({ metadata }) => metadata.name))).toEqual(['b-loose']);
});

test('values that a pool excludes are no domains of a spread', () => {
  const excluding = aNodePool('default', { requirements: [{ key: zone, operator: 'NotIn', values: ['zone-x'] }] });
  const pods = somePods(6, 'web', { labels: web, topologySpreadConstraints: [zoneSpread()] });
  const types = [anInstanceType('single', { pods: 1 })];
  const { newNodes } = schedulePods(round(pods, { nodePools: [{ nodePool: excluding, instanceTypes: types }] }));
  expect(newNodes).toHaveLength(6);
});
