import { byNumber } from '@nodewright/apis';
import type { NodePool, Pod, TopologySpreadConstraint } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../cluster/node-state.ts';
import type { InstanceType } from '../../instance-types/instance-type.ts';
import { parseRequirements } from '@nodewright/requirements';
import type { NewNode, SchedulingProblem } from '../problem.ts';
import { schedulePods } from '../round/schedule.ts';

const zone = 'topology.kubernetes.io/zone';
const hostname = 'kubernetes.io/hostname';
const capacityType = 'karpenter.sh/capacity-type';
const arch = 'kubernetes.io/arch';
const web = { app: 'web' };
const full = { cpu: '0', memory: '0', pods: '0' };

const spread = (topologyKey: string, more: Partial<TopologySpreadConstraint> = {}): TopologySpreadConstraint => ({
  topologyKey,
  maxSkew: 1,
  whenUnsatisfiable: 'DoNotSchedule',
  labelSelector: { matchLabels: web },
  ...more,
});
const single = [anInstanceType('single', { pods: 1 })];
const both = [...single, anInstanceType('single-arm', { pods: 1, arch: 'arm64' })];
let named = 0;
const batch = (count: number, more: Parameters<typeof aPod>[1] = {}) =>
  somePods(count, `web-${(named += 1)}`, { labels: web, ...more });

type Given = {
  readonly pools?: readonly NodePool[];
  readonly types?: readonly InstanceType[];
  readonly nodes?: readonly NodeState[];
  readonly more?: Partial<SchedulingProblem>;
};

/** What the new nodes of a round are to the next: there, with their pods, and full. Of what stays open the first value by name. */
function landed({ requirements, pods }: NewNode, name: string): NodeState {
  const labels = Object.fromEntries(
    [...requirements.values()]
      .filter(({ complement, values }) => !complement && values.size > 0)
      .map(({ key, values }) => [key, [...values].toSorted()[0] ?? '']),
  );
  return aNode(name, {
    labels,
    zone: labels[zone] ?? 'zone-a',
    allocatable: full,
    pods: pods.map((pod) => ({ ...pod, spec: { ...pod.spec, nodeName: name }, status: { phase: 'Running' as const } })),
  });
}

/** Rounds one after the other, each with what the ones before have brought. */
function rounds(batches: readonly (readonly Pod[])[], { pools, types, nodes: before = [], more }: Given = {}) {
  let nodes: readonly NodeState[] = before;
  let refused: readonly Pod[] = [];
  for (const [index, pods] of batches.entries()) {
    const { newNodes, unschedulable } = schedulePods({
      nodePools: (pools ?? [aNodePool()]).map((nodePool) => ({ nodePool, instanceTypes: types ?? single })),
      nodes,
      pods: [...refused, ...pods],
      daemonPods: [],
      namespaces: [],
      options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
      ...more,
    });
    nodes = [...nodes, ...newNodes.map((node, count) => landed(node, `n-${index}-${count}`))];
    refused = unschedulable.map(({ pod }) => pod);
  }
  const countBy = (key: string): readonly number[] => {
    const counts = new Map<string, number>();
    for (const { node, pods } of nodes) {
      const domain = key === hostname ? node?.metadata.name : node?.metadata.labels?.[key];
      const selected = pods.filter(({ metadata }) => metadata.labels?.['app'] === 'web').length;
      if (domain !== undefined && selected > 0) counts.set(domain, (counts.get(domain) ?? 0) + selected);
    }
    return [...counts.values()].toSorted(byNumber);
  };
  return { countBy, refused: refused.length, nodes };
}

const inZones = (...values: readonly string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: zone, operator: 'In' as const, values }] }],
      },
    },
  },
});
const only = (key: string, ...values: readonly string[]) =>
  aNodePool('default', { requirements: [{ key, operator: 'In', values }] });
const running = (name: string, at: string, more: Parameters<typeof aNode>[1] = {}) =>
  aNode(name, { zone: at, allocatable: full, pods: [aPod(`on-${name}`, { nodeName: name, labels: web })], ...more });

describe('a spread over zones', () => {
  const pods = (count: number, more: object = {}) =>
    batch(count, { topologySpreadConstraints: [spread(zone)], ...more });
  test('with one zone left fills it up to the skew', () => {
    const nodes = [running('a', 'zone-a'), running('b', 'zone-b')];
    const wide = batch(8, { topologySpreadConstraints: [spread(zone, { maxSkew: 5 })] });
    const { countBy, refused } = rounds([wide], { nodes, pools: [only(zone, 'zone-c')] });
    expect([countBy(zone), refused]).toEqual([[1, 1, 6], 2]);
  });
  test('comes out even', () => {
    expect(rounds([pods(9)]).countBy(zone)).toEqual([3, 3, 3]);
  });
  test('fills the least domains first when others have emptied', () => {
    const nodes = ['a1', 'a2', 'a3'].map((name) => running(name, 'zone-a'));
    expect(rounds([pods(3)], { nodes }).countBy(zone)).toEqual([1, 2, 3]);
  });
  test('goes on beside a pod that was pinned', () => {
    const pinned = pods(1, { nodeSelector: { [zone]: 'zone-a' } });
    expect(rounds([pinned, pods(4)]).countBy(zone)).toEqual([1, 2, 2]);
  });
  test('knows the zones of nodes that no pool reaches', () => {
    const nodes = [running('a', 'zone-x')];
    expect(rounds([pods(3)], { nodes, pools: [only(zone, 'zone-a')] }).countBy(zone)).toEqual([1, 2]);
  });
  test('compares only the zones that pods select', () => {
    const ab = [pods(5, { nodeSelector: { [zone]: 'zone-a' } }), pods(10, { nodeSelector: { [zone]: 'zone-b' } })];
    expect(rounds(ab).countBy(zone)).toEqual([5, 10]);
  });
  test('compares only the zones that an affinity names, then all', () => {
    expect(rounds([pods(6, inZones('zone-a', 'zone-b'))]).countBy(zone)).toEqual([3, 3]);
    const then = rounds([pods(6, inZones('zone-a', 'zone-b')), pods(1, inZones('zone-b', 'zone-c'))]);
    expect(then.countBy(zone)).toEqual([1, 3, 3]);
    const all = rounds([pods(6, inZones('zone-a', 'zone-b')), pods(1, inZones('zone-b', 'zone-c')), pods(5)]);
    expect(all.countBy(zone)).toEqual([4, 4, 4]);
  });
  test('is not limited by a preferred zone', () => {
    const preferring = {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            {
              weight: 1,
              preference: { matchExpressions: [{ key: zone, operator: 'In' as const, values: ['zone-a', 'zone-b'] }] },
            },
          ],
        },
      },
    };
    expect(rounds([pods(6, preferring)]).countBy(zone)).toEqual([2, 2, 2]);
  });
  test('counts volumes as places, not as wishes', () => {
    const constraints = [spread(zone, { minDomains: 3 })];
    const first = batch(3, { topologySpreadConstraints: constraints });
    const second = batch(1, { topologySpreadConstraints: constraints });
    const volumeRequirements = new Map([
      [`default/${first[0]?.metadata.name}`, [parseRequirements([{ key: zone, operator: 'In', values: ['zone-b'] }])]],
    ]);
    expect(rounds([first], { more: { volumeRequirements } }).countBy(zone)).toEqual([1, 1, 1]);
    expect(rounds([first, second], { more: { volumeRequirements } }).countBy(zone)).toEqual([1, 1, 2]);
  });
});

describe('a spread over capacity types', () => {
  const pods = (count: number, more: object = {}) =>
    batch(count, { topologySpreadConstraints: [spread(capacityType)], ...more });
  test('comes out even, also where the pool names them', () => {
    expect(rounds([pods(4)]).countBy(capacityType)).toEqual([2, 2]);
    expect(rounds([pods(4)], { pools: [only(capacityType, 'spot', 'on-demand')] }).countBy(capacityType)).toEqual([
      2, 2,
    ]);
  });
  test('stops where only one is left, unless it may go on', () => {
    const pinned = batch(1, { nodeSelector: { [capacityType]: 'spot' } });
    const onDemand = { pools: [only(capacityType, 'on-demand')], nodes: rounds([pinned]).nodes };
    expect(rounds([pods(5)], onDemand).countBy(capacityType)).toEqual([1, 2]);
    const anyway = batch(5, {
      topologySpreadConstraints: [spread(capacityType, { whenUnsatisfiable: 'ScheduleAnyway' })],
    });
    expect(rounds([anyway], onDemand).countBy(capacityType)).toEqual([1, 5]);
  });
  test('compares only what pods select', () => {
    const ab = ['spot', 'on-demand'].map((value) => pods(5, { nodeSelector: { [capacityType]: value } }));
    expect(rounds(ab).countBy(capacityType)).toEqual([5, 5]);
  });
});

test('a spread over architectures stops where only one is left', () => {
  const arm = batch(1, { nodeSelector: { [arch]: 'arm64' } });
  const before = rounds([arm], { types: both }).nodes;
  const pods = batch(5, { topologySpreadConstraints: [spread(arch)] });
  expect(rounds([pods], { nodes: before, types: both, pools: [only(arch, 'amd64')] }).countBy(arch)).toEqual([1, 2]);
});

describe('two spreads at once, batch after batch', () => {
  const sizes = [2, 3, 5, 11];
  const after = (constraints: readonly TopologySpreadConstraint[], count: number, given: Given = {}) =>
    rounds(
      sizes.slice(0, count).map((size) => batch(size, { topologySpreadConstraints: constraints })),
      given,
    );
  test('hosts and zones', () => {
    const byZone = [1, 2, 3, 4].map((count) =>
      after([spread(hostname, { maxSkew: 3 }), spread(zone)], count).countBy(zone),
    );
    expect(byZone).toEqual([
      [1, 1],
      [1, 2, 2],
      [3, 3, 4],
      [7, 7, 7],
    ]);
  });
  test('hosts and capacity types', () => {
    const constraints = [spread(capacityType), spread(hostname, { maxSkew: 3 })];
    const counts = [1, 2, 3, 4].map((count) => after(constraints, count).countBy(capacityType));
    expect(counts).toEqual([
      [1, 1],
      [2, 3],
      [5, 5],
      [10, 11],
    ]);
  });
  test('zones and hosts on two domains', () => {
    const { countBy } = after([spread(zone), spread(hostname)], 1, { pools: [only(zone, 'zone-a', 'zone-b')] });
    expect([countBy(zone), countBy(hostname)]).toEqual([
      [1, 1],
      [1, 1],
    ]);
  });
  test('zones and capacity types keep both skews', () => {
    for (const count of [1, 2, 3, 4]) {
      const { countBy } = after([spread(zone), spread(capacityType)], count);
      for (const key of [zone, capacityType]) {
        const counts = countBy(key);
        expect(Math.max(...counts) - Math.min(...counts), `${key} after ${count} batches`).toBeLessThanOrEqual(1);
      }
    }
  });
  test('zones, hosts and capacity types have room for any number of pods', () => {
    for (const count of [1, 2, 3, 5, 8, 13]) {
      const constraints = [spread(zone), spread(capacityType), spread(hostname)];
      const { refused, countBy } = rounds([batch(count, { topologySpreadConstraints: constraints })]);
      expect([refused, countBy(hostname).length]).toEqual([0, count]);
    }
  });
});

test('a label of pools is spread over like any other, and decides the capacity type', () => {
  const pools = ['a', 'b', 'c', 'd'].map((name) =>
    aNodePool(`on-demand-${name}`, {
      requirements: [
        { key: 'share', operator: 'In', values: [name] },
        { key: capacityType, operator: 'In', values: ['on-demand'] },
      ],
    }),
  );
  const spot = aNodePool('spot', {
    requirements: [
      { key: 'share', operator: 'In', values: ['e'] },
      { key: capacityType, operator: 'In', values: ['spot'] },
    ],
  });
  const pods = batch(20, { topologySpreadConstraints: [spread('share')] });
  const { countBy } = rounds([pods], { pools: [...pools, spot] });
  expect([countBy('share'), countBy(capacityType)]).toEqual([
    [4, 4, 4, 4, 4],
    [4, 16],
  ]);
});

test('two deployments share hosts, unless they cannot', () => {
  const roomy = [anInstanceType('roomy', { cpu: 16 }), anInstanceType('roomy-arm', { cpu: 16, arch: 'arm64' })];
  const deployment = (app: string, nodeSelector = {}) =>
    somePods(2, app, {
      labels: { app },
      nodeSelector,
      topologySpreadConstraints: [spread(hostname, { labelSelector: { matchLabels: { app } } })],
    });
  const nodesOf = (pods: readonly Pod[]) => rounds([pods], { types: roomy }).nodes.length;
  expect(nodesOf([...deployment('one'), ...deployment('two')])).toBe(2);
  expect(nodesOf([...deployment('one', { [arch]: 'amd64' }), ...deployment('two', { [arch]: 'arm64' })])).toBe(4);
});

describe('an anti-affinity over zones', () => {
  const apart = {
    affinity: {
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: zone, labelSelector: { matchLabels: web } }],
      },
    },
  };
  test('fills zone after zone, round after round, until there is none', () => {
    const byRound = [1, 2, 3, 4].map((count) =>
      rounds([batch(5, apart), ...Array.from({ length: count - 1 }, () => [])]).countBy(zone),
    );
    expect(byRound).toEqual([[1], [1, 1], [1, 1, 1], [1, 1, 1]]);
  });
  test('keeps away from all zones that a node may still come to be in', () => {
    const undecided = rounds([[aPod('first', { labels: web, ...apart }), aPod('second', { labels: web })]]);
    expect([undecided.nodes.length, undecided.refused]).toEqual([1, 1]);
  });
});
