import type { Service } from '@nodewright/apis';
import { aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { podName } from '../../pods/pod-state.ts';
import { schedulePods } from '../round/schedule.ts';
import { defaultSpreadOf, type DefaultSpreadConstraint, type WorkloadSelectors } from './default-spread.ts';

const zone = 'topology.kubernetes.io/zone';
const overZones: DefaultSpreadConstraint = { maxSkew: 1, topologyKey: zone, whenUnsatisfiable: 'DoNotSchedule' };
const web = { app: 'web', tier: 'front' };

const aService = (name: string, selector?: Readonly<Record<string, string>>): Service => ({
  metadata: { name, namespace: 'default' },
  spec: selector === undefined ? {} : { selector },
});
const deduced = (around: Partial<WorkloadSelectors>) =>
  defaultSpreadOf(aPod('web', { labels: web }), [overZones], { services: [], ...around })?.[0]?.labelSelector;

describe('the pods that a default spread counts', () => {
  for (const { fact, around, expected } of [
    { fact: 'are nobody where a pod belongs to nothing', around: {}, expected: undefined },
    {
      fact: 'are those of the service that selects the pod',
      around: { services: [aService('web', { app: 'web' }), aService('db', { app: 'db' }), aService('headless')] },
      expected: { matchLabels: { app: 'web' }, matchExpressions: [] },
    },
    {
      fact: 'have the labels of all its services',
      around: { services: [aService('front', { tier: 'front' }), aService('app', { app: 'web' })] },
      expected: { matchLabels: web, matchExpressions: [] },
    },
    {
      fact: 'have the labels of its ReplicationController, whatever a service says',
      around: { services: [aService('web', { app: 'web' })], replicationController: { app: 'other' } },
      expected: { matchLabels: { app: 'other' }, matchExpressions: [] },
    },
    {
      fact: 'are selected by its ReplicaSet and by its service',
      around: {
        services: [aService('web', { app: 'web' })],
        replicas: {
          matchLabels: { app: 'web' },
          matchExpressions: [{ key: 'tier', operator: 'Exists' as const }],
        },
      },
      expected: {
        matchLabels: { app: 'web' },
        matchExpressions: [
          { key: 'app', operator: 'In', values: ['web'] },
          { key: 'tier', operator: 'Exists' },
        ],
      },
    },
  ]) {
    test(fact, () => expect(deduced(around)).toEqual(expected));
  }

  test('a spread of the pod’s own takes the place of every default', () => {
    const own = { ...overZones, topologyKey: 'kubernetes.io/hostname' };
    const pod = aPod('web', { labels: web, topologySpreadConstraints: [own] });
    expect(defaultSpreadOf(pod, [overZones], { services: [aService('web', { app: 'web' })] })).toBeUndefined();
  });
});

describe('a round with a default spread', () => {
  const zones = ['zone-a', 'zone-b', 'zone-c'];
  const big = anInstanceType('big', { cpu: 64, offerings: zones.map((name) => [name, 'on-demand', 100_000] as const) });
  const zonesUsed = (isSpread: boolean, preferencePolicy: 'Respect' | 'Ignore', constraint = overZones) => {
    const pods = somePods(3, 'web', { labels: web });
    const services = [aService('web', { app: 'web' })];
    const spreads = pods.map((pod) => [podName(pod), defaultSpreadOf(pod, [constraint], { services }) ?? []] as const);
    const { newNodes } = schedulePods({
      nodePools: [{ nodePool: aNodePool(), instanceTypes: [big] }],
      nodes: [],
      pods,
      daemonPods: [],
      namespaces: [],
      ...(isSpread ? { defaultSpread: new Map(spreads) } : {}),
      options: { preferencePolicy, minValuesPolicy: 'Strict' },
    });
    return newNodes.map(({ requirements }) => [...(requirements.get(zone)?.values ?? [])].length);
  };

  test('puts the pods of a service in three zones', () => expect(zonesUsed(true, 'Respect')).toEqual([1, 1, 1]));
  test('leaves them together without it', () => expect(zonesUsed(false, 'Respect')).toHaveLength(1));
  test('leaves them together where it may be violated and preferences are ignored', () => {
    expect(zonesUsed(true, 'Ignore', { ...overZones, whenUnsatisfiable: 'ScheduleAnyway' })).toHaveLength(1);
  });
});
