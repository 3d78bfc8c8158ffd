import { instant, type Pod } from '@nodewright/apis';
import { anInstanceType, aNode, aNodePool, aPod, aProblem, somePods } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { FutileLaunch } from '../futile-launch.ts';
import type { SchedulingProblem } from '../problem.ts';
import { printedReasons } from '../why/printed-reasons.ts';
import { endOfReasons } from '../why/signature.ts';
import { schedulePods } from '../round/schedule.ts';

const cpu = (cores: number) => ({ requests: { cpu: cores } });

const round = (pods: readonly Pod[], more: Partial<SchedulingProblem> = {}): SchedulingProblem => ({
  ...aProblem(pods, [anInstanceType('c4', { cpu: 4 })]),
  ...more,
});

const namesOf = (pods: readonly Pod[]): readonly string[] => pods.map(({ metadata }) => metadata.name).toSorted();

/** Names of pods by the claim of the node that is there or in flight. */
const existing = (problem: SchedulingProblem) =>
  Object.fromEntries(
    schedulePods(problem).existing.map(({ node, pods }) => [node.nodeClaim?.metadata.name, namesOf(pods)]),
  );

describe('pods that a node was launched for', () => {
  const [first, second] = [aNode('first', { stage: 'inFlight' }), aNode('second', { stage: 'inFlight' })];
  const nodes = [first, second];

  test('stay with it, although larger pods have come since that would have been first', () => {
    const small = somePods(3, 'small', cpu(1));
    const promised = new Map(small.map((pod) => [pod, second] as const));
    const problem = round([...small, aPod('large', cpu(3))], { nodes, promised });
    expect(existing(problem)).toEqual({
      'first-claim': ['large'],
      'second-claim': ['small-1', 'small-2', 'small-3'],
    });
    expect(schedulePods(problem).newNodes).toEqual([]);
  });

  test('leave to others what they do not take', () => {
    const [mine, other] = [aPod('mine', cpu(3)), aPod('other', cpu(1))];
    const problem = round([other, mine], { nodes: [first], promised: new Map([[mine, first]]) });
    expect(existing(problem)).toEqual({ 'first-claim': ['mine', 'other'] });
  });

  test('are placed elsewhere once others have taken their room', () => {
    const mine = aPod('mine', cpu(3));
    const full = aNode('full', { pods: [aPod('thief', { ...cpu(3), nodeName: 'full' })] });
    const problem = round([mine], { nodes: [full, first], promised: new Map([[mine, full]]) });
    expect(existing(problem)).toEqual({ 'first-claim': ['mine'] });
  });

  test('are placed elsewhere when it is leaving', () => {
    const mine = aPod('mine', cpu(3));
    const promised = new Map([[mine, first]]);
    expect(schedulePods(round([mine], { nodes, promised, leavingNodes: [first] })).existing).toHaveLength(1);
    expect(existing(round([mine], { nodes, promised, leavingNodes: [first] }))).toEqual({ 'second-claim': ['mine'] });
  });

  test('wait for it, and get no other, while it lacks a label that they ask for', () => {
    const mine = aPod('mine', { nodeSelector: { 'karpenter.k8s.aws/instance-tenancy': 'dedicated' } });
    const type = anInstanceType('c4', { labels: { 'karpenter.k8s.aws/instance-tenancy': ['default', 'dedicated'] } });
    const nodePools = [{ nodePool: aNodePool(), instanceTypes: [type] }];
    expect(schedulePods(round([mine], { nodePools, nodes: [first] })).newNodes).toHaveLength(1);
    const result = schedulePods(round([mine], { nodePools, nodes: [first], promised: new Map([[mine, first]]) }));
    expect(result).toMatchObject({ newNodes: [], unschedulable: [], existing: [] });
    expect(result.waiting).toEqual([{ node: first, pods: [mine] }]);
  });

  test('count for rules about other pods', () => {
    const apart = { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [hostRule] } };
    const [mine, other] = somePods(2, 'web', { labels: { app: 'web' }, affinity: apart });
    if (mine === undefined || other === undefined) throw new Error('two pods are needed');
    const problem = round([other, mine], { nodes, promised: new Map([[mine, first]]) });
    expect(existing(problem)).toEqual({ 'first-claim': ['web-1'], 'second-claim': ['web-2'] });
  });

  test('are found whatever order the pods are listed in', () => {
    const pods = somePods(9, 'p', cpu(1));
    const promised = new Map(pods.slice(0, 6).map((pod, index) => [pod, index < 3 ? first : second] as const));
    expect(existing(round(pods.toReversed(), { nodes, promised }))).toEqual(existing(round(pods, { nodes, promised })));
  });
});

const hostRule = { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app: 'web' } } };

describe('pods for which nodes were launched in vain', () => {
  const launch: FutileLaunch = {
    node: 'node-1',
    why: 'Insufficient memory (4Gi of 3Gi)',
    attempts: 1,
    until: instant(600_000),
    closed: new Set(['default']),
  };
  const holding = (pods: readonly Pod[]) => new Map(pods.map((pod) => [pod, launch] as const));

  test('get no node, and the reason with its end', () => {
    const pods = somePods(2, 'p', cpu(1));
    const { newNodes, unschedulable } = schedulePods(round(pods, { held: holding(pods) }));
    expect(newNodes).toEqual([]);
    expect(unschedulable.map(({ reasons }) => printedReasons(reasons))).toEqual(
      pods.map(() => [
        'NodePool default: launches no more nodes for such pods before 1970-01-01T00:10:00Z: node-1 was launched for them and is ready, and they do not bind to it: Insufficient memory (4Gi of 3Gi)',
      ]),
    );
    expect(unschedulable.map(({ reasons }) => endOfReasons(reasons))).toEqual(pods.map(() => launch.until));
  });

  test('go to nodes that are there, but not to nodes that are launched for others', () => {
    const [held, other] = [aPod('held', cpu(1)), aPod('other', cpu(1))];
    const result = schedulePods(round([held, other], { held: holding([held]) }));
    expect(result.newNodes.map(({ pods }) => namesOf(pods))).toEqual([['other']]);
    expect(result.unschedulable.map(({ pod }) => pod.metadata.name)).toEqual(['held']);
    expect(existing(round([held, other], { held: holding([held]), nodes: [aNode('there')] }))).toEqual({
      'there-claim': ['held', 'other'],
    });
  });

  test('get nodes of a NodePool that has not been tried', () => {
    const pods = somePods(2, 'p', cpu(1));
    const instanceTypes = [anInstanceType('c4', { cpu: 4 })];
    const nodePools = ['default', 'later'].map((name) => ({ nodePool: aNodePool(name), instanceTypes }));
    const { newNodes } = schedulePods(round(pods, { nodePools, held: holding(pods) }));
    expect(newNodes.map(({ nodePool }) => nodePool.metadata.name)).toEqual(['later']);
  });
});
