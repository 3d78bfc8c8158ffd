import { aNodePool, anInstanceType, aPod, somePods } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { printedReasons } from '../../why/printed-reasons.ts';
import { schedulePods } from '../../round/schedule.ts';

const ebs = 'ebs.csi.aws.com';
const volumesOf = (name: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ driver: ebs, claim: `default/${name}-${index}` }));

const round = (pods: readonly ReturnType<typeof aPod>[], perPod: number, shared?: string) => ({
  nodePools: [
    {
      nodePool: aNodePool(),
      instanceTypes: [
        anInstanceType('c8', { cpu: 8, attachLimits: { [ebs]: 5 } }),
        anInstanceType('c16', { cpu: 16, attachLimits: { [ebs]: 9 } }),
      ],
    },
  ],
  nodes: [],
  pods,
  daemonPods: [],
  namespaces: [],
  attachedVolumes: new Map(
    pods.map(({ metadata }) => [`default/${metadata.name}`, volumesOf(shared ?? metadata.name, perPod)]),
  ),
  options: { preferencePolicy: 'Respect', minValuesPolicy: 'Strict' } as const,
});

test('a new node gets no more volumes than one of its types can have attached', () => {
  const { newNodes } = schedulePods(round(somePods(7, 'db', { requests: { cpu: '100m' } }), 3));
  expect(newNodes.map(({ pods, instanceTypes }) => [pods.length, instanceTypes.map(({ name }) => name)])).toEqual([
    [3, ['c16']],
    [3, ['c16']],
    [1, ['c8', 'c16']],
  ]);
});

test('a volume that pods share takes one place', () => {
  const { newNodes } = schedulePods(round(somePods(7, 'web', { requests: { cpu: '100m' } }), 5, 'content'));
  expect(newNodes.map(({ pods }) => pods.length)).toEqual([7]);
});

test('a pod with more volumes than any type can have attached hears how many would do', () => {
  const { unschedulable } = schedulePods(round([aPod('db')], 12));
  expect(unschedulable.flatMap(({ reasons }) => printedReasons(reasons)).join()).toContain(
    '0 after 12 volumes of ebs.csi.aws.com (the most is 9)',
  );
});
