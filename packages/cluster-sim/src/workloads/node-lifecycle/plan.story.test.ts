import { type Condition, fromTimestamp, type Lease, type Node, type Taint } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { expect, test } from 'vitest';
import { renewsEverySeconds } from '../../kubelets/lease-object.ts';
import { plan } from './plan.ts';

const now = fromTimestamp('2024-01-28T16:00:00Z');
const pod = aPod('web', { nodeName: 'node-1' });

type Ready = Condition['status'];

const aNode = (ready: Ready, taints: readonly Taint[] = []): Node => ({
  metadata: { name: 'node-1', creationTimestamp: '2024-01-28T15:00:00Z' },
  spec: { taints },
  status: { conditions: [{ type: 'Ready', status: ready }] },
});
const taintsFor = (name: string): readonly Taint[] => [
  { key: `node.kubernetes.io/${name}`, effect: 'NoSchedule' },
  { key: `node.kubernetes.io/${name}`, effect: 'NoExecute' },
];
const renewedAt = (renewTime: string, annotations = {}): Lease => ({
  metadata: { name: 'node-1', namespace: 'kube-node-lease', annotations },
  spec: { renewTime },
});
const fresh = renewedAt('2024-01-28T15:59:50Z');
const stale = renewedAt('2024-01-28T15:59:00Z');

for (const { fact, node, lease, actions, recheckAt } of [
  {
    fact: 'that renews its lease is due when the grace is over',
    node: aNode('True'),
    lease: fresh,
    actions: [],
    recheckAt: '2024-01-28T16:00:30.001Z',
  },
  {
    fact: 'whose lease is renewed without writes is never due',
    node: aNode('True'),
    lease: renewedAt('2024-01-28T15:00:00Z', { [renewsEverySeconds]: '10' }),
    actions: [],
    recheckAt: undefined,
  },
  {
    fact: 'that is silent becomes Unknown, and nothing else in this turn',
    node: aNode('True'),
    lease: stale,
    actions: ['markUnknown'],
    recheckAt: undefined,
  },
  {
    fact: 'that is Unknown gets its taints and its pods stop being ready',
    node: aNode('Unknown'),
    lease: stale,
    actions: ['writeTaints', 'markPodNotReady'],
    recheckAt: undefined,
  },
  {
    fact: 'that is Unknown with its taints keeps them',
    node: aNode('Unknown', taintsFor('unreachable')),
    lease: stale,
    actions: ['markPodNotReady'],
    recheckAt: undefined,
  },
  {
    fact: 'that is not ready is still heard of',
    node: aNode('False', taintsFor('not-ready')),
    lease: fresh,
    actions: ['markPodNotReady'],
    recheckAt: '2024-01-28T16:00:30.001Z',
  },
  {
    fact: 'that is ready again loses its taints and leaves its pods alone',
    node: aNode('True', taintsFor('unreachable')),
    lease: fresh,
    actions: ['writeTaints'],
    recheckAt: '2024-01-28T16:00:30.001Z',
  },
]) {
  test(`a node ${fact}`, () => {
    const decision = plan({ node, lease, readyPods: [pod], now });
    expect(decision.actions.map(({ kind }) => kind)).toEqual(actions);
    expect(decision.recheckAt).toBe(recheckAt === undefined ? undefined : fromTimestamp(recheckAt));
  });
}
