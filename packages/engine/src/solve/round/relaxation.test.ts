import type { NodeSelectorRequirement, Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import type { SchedulingProblem } from '../problem.ts';
import { schedulePods } from './schedule.ts';

const arch = 'kubernetes.io/arch';

const round = (pod: Pod, more: Partial<SchedulingProblem> = {}) =>
  schedulePods({
    nodePools: [{ nodePool: aNodePool(), instanceTypes: [anInstanceType('c8', { cpu: 8 })] }],
    nodes: [],
    pods: [pod],
    daemonPods: [],
    namespaces: [],
    options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' },
    ...more,
  });

const left = ({ unschedulable }: ReturnType<typeof round>) => unschedulable.map(({ pod }) => pod.metadata.name);

test('an earlier alternative is tried again without the preference that spoiled it', () => {
  const term = (key: string, value: string) => ({
    matchExpressions: [{ key, operator: 'In', values: [value] } satisfies NodeSelectorRequirement],
  });
  const nodeAffinity = {
    requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [term(arch, 'amd64'), term(arch, 'mips')] },
    preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, preference: term('example.com/nowhere', 'x') }],
  };
  expect(left(round(aPod('p', { affinity: { nodeAffinity } })))).toEqual([]);
});

test('a pod without any other place goes to a node that would rather not take it', () => {
  const taints = [{ key: 'old', effect: 'PreferNoSchedule' as const }];
  const nodes = [aNode('a', { taints })];
  expect(left(round(aPod('p'), { nodes, nodePools: [] }))).toEqual([]);
});
