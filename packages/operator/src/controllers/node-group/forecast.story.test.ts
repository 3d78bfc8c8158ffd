import type { Node } from '@nodewright/apis';
import { instant } from '@nodewright/apis';
import type { ScalingGroup } from '@nodewright/ports';
import { expect, test } from 'vitest';
import { forecastUpdate } from './forecast.ts';
import { type SeenQuota } from './quota.ts';
import type { GroupPod, NodeGroupSnapshot } from './snapshot.ts';

const zoneNames = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, at) => `us-east-1${String.fromCodePoint(97 + at)}`);

type Traits = {
  readonly zones: number;
  readonly nodes: number;
  readonly max: number;
  readonly update?: NodeGroupSnapshot['nodeGroup']['spec']['update'];
  readonly scaling?: Partial<ScalingGroup>;
  readonly quotas?: readonly SeenQuota[];
  readonly pods?: readonly GroupPod[];
  readonly neighbours?: Partial<NodeGroupSnapshot['neighbours']>;
};

/** A plain group whose nodes all run an old image. */
function aGroup({
  zones: count,
  nodes: size,
  max,
  update = {},
  scaling = {},
  quotas = [],
  pods = [],
  neighbours = {},
}: Traits): NodeGroupSnapshot {
  const zones = zoneNames(count);
  const instances = Array.from({ length: size }, (_, at) => ({
    id: `i-${at}`,
    zone: zones[at % count] ?? '',
    lifecycle: 'InService',
    imageId: 'ami-old',
    launchedAt: instant(0),
  }));
  const nodes = instances.map(({ id, zone }): Node => ({
    metadata: { name: `node-${id}` },
    spec: { providerID: `aws:///${zone}/${id}` },
  }));
  const image = { id: 'ami-new', name: 'new', arch: 'amd64', createdAt: instant(0), term: 0 } as const;
  const template = {
    id: 'lt',
    version: '1',
    isPinned: true,
    imageId: 'ami-old',
    arch: 'amd64',
    variant: 'standard',
    versions: {},
  } as const;
  const subnets = zones.map((zone) => ({ id: `subnet-${zone}`, zone, freeAddresses: 200 }));
  const group = {
    name: 'g',
    min: 0,
    max,
    desired: size,
    zones,
    subnets,
    template,
    suspended: [],
    instances,
    warm: [],
    bought: { onDemand: 100 },
    instanceTypes: [],
    typesWithOwnTemplate: [],
  };
  return {
    nodeGroup: { metadata: { name: 'g' }, spec: { autoScalingGroup: { name: 'g' }, update } },
    kubernetesVersion: '1.29',
    scaling: { ...group, isRefreshing: false, hooks: [], tags: {}, isOfCluster: true, ...scaling },
    quotas,
    wanted: { kind: 'image', image, isMoving: false },
    firstSeen: new Map(),
    neighbours: { dnsNodes: [], hasClusterAutoscaler: false, ...neighbours },
    nodes,
    pods,
  };
}

const forecast = (traits: Traits) => forecastUpdate(aGroup(traits), instant(0));

for (const { zones, nodes, max, maxUnavailable, peak } of [
  { zones: 1, nodes: 3, max: 5, maxUnavailable: 1, peak: { desired: 5, max: 7 } },
  { zones: 3, nodes: 2, max: 4, maxUnavailable: 1, peak: { desired: 8, max: 10 } },
  { zones: 3, nodes: 30, max: 40, maxUnavailable: 10, peak: { desired: 40, max: 50 } },
  { zones: 5, nodes: 5, max: 10, maxUnavailable: 1, peak: { desired: 15, max: 20 } },
  { zones: 5, nodes: 60, max: 80, maxUnavailable: 20, peak: { desired: 80, max: 100 } },
  { zones: 3, nodes: 0, max: 3, maxUnavailable: 1, peak: { desired: 0, max: 3 } },
]) {
  test(`SUP-1, SUP-2: ${nodes} nodes in ${zones} zones, ${maxUnavailable} at once, grow to ${peak.desired}`, () => {
    expect(forecast({ zones, nodes, max, update: { maxUnavailable } }).peak).toEqual(peak);
  });
}

const aManagedGroup = {
  name: 'g',
  status: 'ACTIVE',
  kubernetesVersion: '1.29',
  release: '1.29.0-20240101',
  updateConfig: {},
  issues: [],
} satisfies NodeGroupSnapshot['managed'];

/** What the embedded EKS took for the same update, from the request to `Successful`. */
for (const { fact, nodes, update = {}, pods = 0, measured } of [
  { fact: 'three nodes', nodes: 3, measured: 450 },
  { fact: 'three nodes with a budget', nodes: 3, pods: 6, measured: 500 },
  { fact: 'ten nodes, one at a time', nodes: 10, pods: 10, measured: 950 },
  {
    fact: 'ten nodes, five at a time, behind a budget',
    nodes: 10,
    update: { maxUnavailable: 5 },
    pods: 20,
    measured: 570,
  },
  { fact: 'thirty nodes, ten at a time', nodes: 30, update: { maxUnavailable: 10 }, measured: 580 },
  { fact: 'six nodes in place', nodes: 6, update: { strategy: 'MINIMAL' as const }, pods: 6, measured: 720 },
  {
    fact: 'six nodes in place, three at a time',
    nodes: 6,
    update: { strategy: 'MINIMAL' as const, maxUnavailable: 3 },
    pods: 6,
    measured: 370,
  },
]) {
  test(`an update of ${fact} takes about as long as forecast`, () => {
    const seen = aGroup({ zones: 3, nodes, max: 2 * nodes, update, pods: podsBehindOneBudget(pods, nodes) });
    const { expectedSeconds } = forecastUpdate({ ...seen, managed: aManagedGroup }, instant(0));
    expect(expectedSeconds / measured).toBeGreaterThan(0.75);
    expect(expectedSeconds / measured).toBeLessThan(1.25);
  });
}

const podsBehindOneBudget = (count: number, nodes: number): readonly GroupPod[] =>
  Array.from({ length: count }, (_, at) => ({
    namespace: 'app',
    name: `web-${at}`,
    node: `node-i-${at % nodes}`,
    leaving: false,
    budgets: [{ name: 'web', disruptionsAllowed: 2 }],
    toleratesEverything: false,
    isBare: false,
  }));

test('scenario 29, SDN-6: a large group takes a step down for each instance too many', () => {
  const large = aGroup({ zones: 3, nodes: 100, max: 120, update: { maxUnavailable: 50 } });
  const larger = aGroup({ zones: 3, nodes: 100, max: 120, update: { maxUnavailable: 100 } });
  const [less, more] = [large, larger].map((seen) => forecastUpdate({ ...seen, managed: aManagedGroup }, instant(0)));
  expect(less?.surge).toBe(50);
  expect((more?.expectedSeconds ?? 0) - (less?.expectedSeconds ?? 0)).toBe(50 * 30 - 70);
});

test('a plain group loses its surge with the old nodes', () => {
  const plain = forecast({ zones: 3, nodes: 10, max: 20, update: { maxUnavailable: 5 } });
  expect(plain.expectedSeconds).toBe(60 + 2 * 70);
});

for (const { fact, traits, warning } of [
  {
    fact: 'scenario 30, TRM-7: suspended AZRebalance',
    traits: { scaling: { suspended: ['AZRebalance'] } },
    warning: 'AZRebalance is suspended: a zone with old nodes may get no new one, and the update then fails',
  },
  {
    fact: 'MIN-6: a group that may be empty for a while',
    traits: { update: { strategy: 'MINIMAL' as const, maxUnavailable: 3 } },
    warning: 'as many nodes go at once as there are: the group may be empty for a while',
  },
  {
    fact: 'UPG-9: a pod that comes back',
    traits: {
      pods: [
        {
          namespace: 'a',
          name: 'b',
          node: 'node-i-0',
          leaving: false,
          budgets: [],
          toleratesEverything: true,
          isBare: false,
        },
      ] satisfies GroupPod[],
    },
    warning: 'pod a/b tolerates every taint and may come back to its node',
  },
  {
    fact: 'a pod that nothing makes anew',
    traits: {
      pods: [
        {
          namespace: 'a',
          name: 'b',
          node: 'node-i-0',
          leaving: false,
          budgets: [],
          toleratesEverything: false,
          isBare: true,
        },
      ] satisfies GroupPod[],
    },
    warning: 'pod a/b belongs to no controller: nothing makes it anew',
  },
  {
    fact: 'SMG-2: a single pod of coredns on an old node',
    traits: { neighbours: { dnsNodes: ['node-i-1'] } },
    warning: 'coredns has one pod, on node-i-1: the cluster resolves no names while it moves; give it two',
  },
  {
    fact: 'SDN-2: Cluster Autoscaler',
    traits: { neighbours: { hasClusterAutoscaler: true } },
    warning: 'Cluster Autoscaler runs: if it raises the group meanwhile, the larger size stays',
  },
  {
    fact: 'SMG-2: a hook of somebody else',
    traits: {
      scaling: { hooks: [{ name: 'handler', transition: 'terminating' as const, heartbeatSeconds: 600 }] },
    },
    warning: 'hook handler makes terminating instances wait, up to 600 seconds when nothing answers',
  },
  {
    fact: 'SMG-2: an endpoint that knows no instance refreshes',
    traits: { scaling: { isRefreshing: 'unknown' as const } },
    warning: 'the endpoint does not tell whether an instance refresh is under way; none may be',
  },
]) {
  test(`${fact} is warned of`, () => {
    expect(forecast({ zones: 3, nodes: 3, max: 4, ...traits }).warnings).toEqual([warning]);
  });
}

test('SUP-11: too few addresses for the surge are in the way, and MINIMAL needs none', () => {
  const subnets = zoneNames(3).map((zone) => ({ id: zone, zone, freeAddresses: 1 }));
  const traits = { zones: 3, nodes: 3, max: 4, scaling: { subnets } };
  expect(forecast(traits).obstacles).toEqual([
    { reason: 'InsufficientFreeAddresses', message: '6 instances more need addresses, the subnets of g have 3' },
  ]);
  expect(forecast({ ...traits, update: { strategy: 'MINIMAL' } }).obstacles).toEqual([]);
});

const aQuota = (market: SeenQuota['market'], room: SeenQuota['room']): SeenQuota => ({
  name: 'Running instances',
  code: 'L-1',
  vcpusPerInstance: 4,
  market,
  room,
});
const known = { kind: 'known', limit: 64, used: 44 } as const;

for (const { fact, bought, quotas, surge, obstacles } of [
  {
    fact: 'all instances of an On-Demand group',
    bought: { onDemand: 100 },
    quotas: [aQuota('onDemand', known)],
    surge: [{ vcpus: 24, limit: 64, free: 20 }],
    obstacles: ['24 vCPUs more do not fit into "Running instances" (L-1): 20 of 64 are free'],
  },
  {
    fact: 'each share of a mixed group against a limit of its own',
    bought: { onDemand: 30, spot: 70 },
    quotas: [aQuota('onDemand', known), aQuota('spot', known)],
    surge: [
      { vcpus: 8, limit: 64, free: 20 },
      { vcpus: 20, limit: 64, free: 20 },
    ],
    obstacles: [],
  },
  {
    fact: 'and what is not known blocks nothing',
    bought: { onDemand: 100 },
    quotas: [aQuota('onDemand', { kind: 'unknown', why: 'AccessDenied: no' })],
    surge: [{ vcpus: 24, unknownBecause: 'AccessDenied: no' }],
    obstacles: [],
  },
]) {
  test(`SUP-11: the surge counts against the limits of the account, ${fact}`, () => {
    const found = forecast({ zones: 3, nodes: 3, max: 4, scaling: { bought }, quotas });
    expect(found.quotas).toEqual(surge.map((each) => ({ name: 'Running instances', code: 'L-1', ...each })));
    expect(found.obstacles.map(({ message }) => message)).toEqual(obstacles);
  });
}

test('SUP-11: MINIMAL takes nothing of a limit', () => {
  const quotas = [aQuota('onDemand', known)];
  expect(forecast({ zones: 3, nodes: 3, max: 4, update: { strategy: 'MINIMAL' }, quotas }).quotas).toEqual([]);
});
