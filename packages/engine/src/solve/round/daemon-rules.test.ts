import type { NodePool, NodeSelectorTerm, Pod } from '@nodewright/apis';
import {
  aDaemonPod,
  requiringNodes,
  supplyOfPool,
  anInstanceType,
  aNodePool,
  aPod,
  aProblem,
} from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from './schedule.ts';

const zone = 'topology.kubernetes.io/zone';
const sizes = [2, 4, 8, 16].map((cpu) => anInstanceType(`c${cpu}`, { cpu }));

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, sizes),
  ...more,
});
const from = (nodePool: NodePool): Partial<SchedulingProblem> => supplyOfPool(sizes, nodePool);
const refused = (problem: SchedulingProblem) => schedulePods(problem).unschedulable.map(({ pod }) => pod.metadata.name);
const cpu = (amount: string | number, more: object = {}) => ({ requests: { cpu: amount }, ...more });

describe('daemons', () => {
  const overhead = (daemonPods: readonly Pod[], more: Partial<SchedulingProblem> = {}) =>
    Number(schedulePods(round([aPod('p', cpu(1))], { daemonPods, ...more })).newNodes[0]?.requests['cpu']) - 1_000;
  const startup = { startupTaints: [{ key: 'booting', effect: 'NoSchedule' as const }] };
  const tainted = { taints: [{ key: 'dedicated', effect: 'NoSchedule' as const }] };
  const avoided = { taints: [{ key: 'shy', effect: 'PreferNoSchedule' as const }] };
  const labelled = { labels: { team: 'red' } };
  for (const { fact, pod, pool, counts } of [
    { fact: 'that do not tolerate a startup taint count: it goes', pod: aDaemonPod('d'), pool: startup, counts: 1_000 },
    { fact: 'that do not tolerate a taint do not count', pod: aDaemonPod('d'), pool: tainted, counts: 0 },
    { fact: 'that meet PreferNoSchedule count', pod: aDaemonPod('d'), pool: avoided, counts: 1_000 },
    {
      fact: 'that select the pool by its label count',
      pod: aDaemonPod('d', { nodeSelector: labelled.labels }),
      pool: labelled,
      counts: 1_000,
    },
    {
      fact: 'that select a label nobody has do not count',
      pod: aDaemonPod('d', { nodeSelector: { team: 'blue' } }),
      pool: labelled,
      counts: 0,
    },
    {
      fact: 'that avoid a label which is not there count',
      pod: aDaemonPod('d', requiringNodes({ key: 'none', operator: 'NotIn', values: ['x'] })),
      pool: {},
      counts: 1_000,
    },
    {
      fact: 'of which any alternative fits count',
      pod: aDaemonPod(
        'd',
        requiringNodes(
          { key: zone, operator: 'In', values: ['nowhere'] },
          { key: zone, operator: 'In', values: ['zone-a'] },
        ),
      ),
      pool: {},
      counts: 1_000,
    },
    {
      fact: 'that wait for registered and initialized nodes count',
      pod: aDaemonPod('d', { nodeSelector: { 'karpenter.sh/registered': 'true', 'karpenter.sh/initialized': 'true' } }),
      pool: {},
      counts: 1_000,
    },
    {
      fact: 'with a limit and no request take the limit',
      pod: { ...aDaemonPod('d'), spec: { containers: [{ name: 'm', resources: { limits: { cpu: '500m' } } }] } },
      pool: {},
      counts: 500,
    },
    {
      fact: 'take the most that their init containers need',
      pod: {
        ...aDaemonPod('d'),
        spec: {
          containers: [{ name: 'm', resources: { requests: { cpu: '500m' } } }],
          initContainers: [{ name: 'i', resources: { requests: { cpu: '2' } } }],
        },
      },
      pool: {},
      counts: 2_000,
    },
  ]) {
    test(fact, () => {
      const nodePool = aNodePool('default', pool);
      const tolerant = aPod('p', cpu(1, { tolerations: [{ operator: 'Exists' }] }));
      const problem = round([tolerant], { daemonPods: [pod], ...from(nodePool) });
      expect(Number(schedulePods(problem).newNodes[0]?.requests['cpu']) - 1_000).toBe(counts);
    });
  }
  test('whose only required term is empty run nowhere; pinned to their node by name they do', () => {
    const withTerm = (term: NodeSelectorTerm) =>
      aDaemonPod('d', {
        affinity: {
          nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term] } },
        },
      });
    expect(overhead([withTerm({})])).toBe(overhead([]));
    const byName = { matchFields: [{ key: 'metadata.name', operator: 'In' as const, values: ['other'] }] };
    expect(overhead([withTerm(byName)])).toBe(overhead([aDaemonPod('d')]));
  });
  test('whose demands exclude each other run nowhere', () => {
    const term = { key: 'rack', operator: 'DoesNotExist' as const };
    const never = aDaemonPod('d', { nodeSelector: { rack: '1' }, ...requiringNodes(term) });
    expect(overhead([never])).toBe(overhead([]));
    expect(overhead([aDaemonPod('d', requiringNodes(term))])).toBe(overhead([aDaemonPod('d')]));
  });
  test('that prefer what is nowhere count all the same', () => {
    const preferring = aDaemonPod('d', {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: zone, operator: 'In', values: ['nowhere'] }] } },
          ],
        },
      },
    });
    expect(overhead([preferring])).toBe(1_000);
  });
  test('hold their host ports on every new node that they would run on', () => {
    const wanting = aPod('p', { hostPort: 80 });
    expect(refused(round([wanting], { daemonPods: [aDaemonPod('d', { hostPort: 80 })] }))).toEqual(['p']);
    const elsewhere = aDaemonPod('d', { hostPort: 80, nodeSelector: { 'node.kubernetes.io/instance-type': 'c16' } });
    const [node] = schedulePods(round([wanting], { daemonPods: [elsewhere] })).newNodes;
    expect(node?.instanceTypes.map(({ name }) => name)).toEqual(['c2', 'c4', 'c8']);
  });
});
