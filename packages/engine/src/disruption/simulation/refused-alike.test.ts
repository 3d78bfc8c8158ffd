import { fromTimestamp, type Pod } from '@nodewright/apis';
import { aNode, aNodePool, anInstanceType, aPod, aSnapshot } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import type { NodeState } from '../../cluster/node-state.ts';
import type { DisruptionCandidate } from '../candidates/candidate.ts';
import type { DisruptionBlocker } from '../candidates/disruption-blocker.ts';
import { splitEligibleNodes } from '../eligible-nodes.ts';
import { EvictionRules } from '../evictions/pod-disruption-budgets.ts';
import type { DisruptionSnapshot } from '../snapshot.ts';
import { RefusedAlike } from './refused-alike.ts';

const now = fromTimestamp('2024-03-01T12:00:00Z');

const webPod = (node: string, traits: Parameters<typeof aPod>[1] = {}): Pod =>
  aPod(`web-${node}`, {
    nodeName: node,
    requests: { cpu: 3 },
    labels: { app: 'web' },
    ownerKind: 'ReplicaSet',
    ...traits,
  });

const webNode = (name: string, traits: Parameters<typeof aNode>[1] = {}): NodeState =>
  aNode(name, { pods: [webPod(name)], labels: { 'kubernetes.io/hostname': name }, ...traits });

type Refusal = { readonly more?: Partial<DisruptionSnapshot>; readonly blocker?: DisruptionBlocker };

/** What `other` is told after `first` was refused. */
function passOn([first, other]: readonly [NodeState, NodeState], refusal: Refusal = {}): DisruptionBlocker | undefined {
  const { more = {}, blocker = { kind: 'uninitializedDestination', pods: first.pods, node: 'starting' } } = refusal;
  const seen = aSnapshot([first, other], {
    pool: aNodePool('default'),
    instanceTypes: [anInstanceType('c4', { cpu: 4 })],
    ...more,
  });
  const rules = new EvictionRules(seen.podDisruptionBudgets);
  const question = { disruptionClass: 'eventual', reason: 'Drifted', rules, now } as const;
  const { candidates } = splitEligibleNodes(seen.nodes, seen, question);
  const [one, two] = candidates as readonly [DisruptionCandidate, DisruptionCandidate];
  const refused = new RefusedAlike(seen, { rules, now });
  refused.note(one, blocker);
  return refused.blockerOf(two);
}

describe('a refusal because of a node that starts', () => {
  test('holds for a node that differs in its name alone, with the pods of that node', () => {
    const other = webNode('b');
    expect(passOn([webNode('a'), other])).toEqual({
      kind: 'uninitializedDestination',
      pods: other.pods,
      node: 'starting',
    });
  });
  test('names the pods that correspond to those refused', () => {
    const pods = (name: string) => [webPod(name), aPod(`db-${name}`, { nodeName: name, requests: { cpu: 1 } })];
    const first = webNode('a', { pods: pods('a') });
    const [web] = first.pods;
    const blocker = { kind: 'uninitializedDestination', pods: [web as Pod], node: 'starting' } as const;
    const other = webNode('b', { pods: pods('b').toReversed() });
    expect(passOn([first, other], { blocker })).toMatchObject({ pods: [{ metadata: { name: 'web-b' } }] });
  });
  test('is no other refusal', () => {
    expect(passOn([webNode('a'), webNode('b')], { blocker: { kind: 'uninitialized' } })).toBeUndefined();
  });
  for (const { fact, other } of [
    { fact: 'zone', other: webNode('b', { zone: 'us-west-2c' }) },
    { fact: 'label', other: webNode('b', { labels: { 'kubernetes.io/hostname': 'b', team: 'a' } }) },
    { fact: 'size', other: webNode('b', { allocatable: { cpu: '64', memory: '64Gi', pods: '110' } }) },
    { fact: 'number of pods', other: webNode('b', { pods: [webPod('b'), webPod('b')] }) },
    { fact: 'requests of a pod', other: webNode('b', { pods: [webPod('b', { requests: { cpu: 2 } })] }) },
    { fact: 'labels of a pod', other: webNode('b', { pods: [webPod('b', { labels: { app: 'db' } })] }) },
    { fact: 'pods that stay', other: webNode('b', { pods: [webPod('b'), webPod('b', { ownerKind: 'DaemonSet' })] }) },
  ]) {
    test(`does not hold for a node with another ${fact}`, () => {
      expect(passOn([webNode('a'), other])).toBeUndefined();
    });
  }
  test('does not hold where a launch is meant for a pod', () => {
    const other = webNode('b');
    const [pod] = other.pods;
    const starting = aNode('starting', { stage: 'registered' });
    expect(passOn([webNode('a'), other], { more: { promised: new Map([[pod as Pod, starting]]) } })).toBeUndefined();
  });
  test('does not hold where volumes are known of a pod', () => {
    const attachedVolumes = new Map([['default/web-b', [{ driver: 'ebs.csi.aws.com', claim: 'default/data' }]]]);
    expect(passOn([webNode('a'), webNode('b')], { more: { attachedVolumes } })).toBeUndefined();
  });
});
