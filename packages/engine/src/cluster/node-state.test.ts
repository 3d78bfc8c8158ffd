import type { Taint } from '@nodewright/apis';
import { aNode, aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import {
  boughtLabelsOf,
  isInitialized,
  isNodeLeaving,
  isMarkedForDeletion,
  isRegistered,
  nodeAllocatableOf,
  nodeAvailableOf,
  nodeCapacityOf,
  nodeNameOf,
  nodePoolNameOf,
  nodeTaintsOf,
} from './node-state.ts';

const notReady: Taint = { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' };
const cilium: Taint = { key: 'node.cilium.io/agent-not-ready', effect: 'NoExecute' };
const instanceType = 'node.kubernetes.io/instance-type';
const readiness: Taint = { key: 'readiness.k8s.io/gpu', effect: 'PreferNoSchedule' };
const other: Taint = { key: 'maintenance', effect: 'NoSchedule' };

describe('taints that pods have to tolerate', () => {
  for (const { fact, stage, taints, startupTaints = [], left } of [
    {
      fact: 'on an initialized node all count',
      stage: 'initialized',
      taints: [notReady, other],
      left: [notReady, other],
    },
    {
      fact: 'before, those that go away by themselves do not',
      stage: 'registered',
      taints: [notReady, readiness, other],
      left: [other],
    },
    {
      fact: 'before, startup taints do not, whatever their value',
      stage: 'registered',
      taints: [{ ...cilium, value: 'true' }],
      startupTaints: [cilium],
      left: [],
    },
    {
      fact: 'afterwards startup taints do',
      stage: 'initialized',
      taints: [cilium],
      startupTaints: [cilium],
      left: [cilium],
    },
  ] as const) {
    test(fact, () => {
      expect(nodeTaintsOf(aNode('n', { stage, taints, startupTaints }))).toEqual(left);
    });
  }
  test('a cordoned node counts as tainted, once, before and after its taint has come', () => {
    const taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' } as const;
    for (const taints of [[], [taint]]) {
      const state = aNode('n', { taints });
      const node = state.node && { ...state.node, spec: { ...state.node.spec, unschedulable: true } };
      expect(nodeTaintsOf({ ...state, ...(node === undefined ? {} : { node }) })).toEqual([taint]);
    }
  });
});

describe('what a node has', () => {
  test('before initialization the claim fills what the kubelet does not report yet', () => {
    const state = aNode('n', { stage: 'registered', allocatable: { cpu: '4', 'nvidia.com/gpu': '1' } });
    const node = state.node && { ...state.node, status: { allocatable: { cpu: '3900m', 'nvidia.com/gpu': '0' } } };
    expect(nodeAllocatableOf({ ...state, ...(node === undefined ? {} : { node }) })).toEqual({
      cpu: 3900,
      'nvidia.com/gpu': 1,
    });
  });
  test('capacity counts the node itself', () => {
    expect(nodeCapacityOf(aNode('n')).nodes).toBe(1);
  });
  test('pods that have ended free their part, pods that are ending do not', () => {
    const pods = [
      aPod('ended', { nodeName: 'n', requests: { cpu: 1 }, phase: 'Succeeded' }),
      aPod('ending', { nodeName: 'n', requests: { cpu: 1 }, deleting: true }),
    ];
    expect(nodeAvailableOf(aNode('n', { pods })).cpu).toBe(3000);
  });
});

test('a node goes by the name of its claim until it is registered', () => {
  expect(nodeNameOf(aNode('n', { stage: 'inFlight' }))).toBe('n-claim');
  expect(nodeNameOf(aNode('n'))).toBe('n');
});

describe('labels that a kubelet may put on its own node', () => {
  const pending = (type: string) => ({ type, status: 'Unknown' as const });

  test('do not make it registered or initialized while its claim denies it', () => {
    const joining = aNode('n', { claimConditions: [pending('Registered'), pending('Initialized')] });
    expect([isRegistered(joining), isInitialized(joining)]).toEqual([false, false]);
    const registered = aNode('n', {
      claimConditions: [{ type: 'Registered', status: 'True' }, pending('Initialized')],
    });
    expect([isRegistered(registered), isInitialized(registered)]).toEqual([true, false]);
  });

  test('put it into no pool, and say nothing of what was bought', () => {
    const state = aNode('n', { nodePool: 'own', instanceType: 'c4' });
    const labels = { ...state.node?.metadata.labels, 'karpenter.sh/nodepool': 'other', [instanceType]: 'x1e.32xlarge' };
    const node = state.node && { ...state.node, metadata: { ...state.node.metadata, labels } };
    const lying = { ...state, ...(node === undefined ? {} : { node }) };
    expect(nodePoolNameOf(lying)).toBe('own');
    expect(boughtLabelsOf(lying)[instanceType]).toBe('c4');
    const { nodeClaim: _, ...forged } = lying;
    expect(nodePoolNameOf(forged)).toBeUndefined();
  });
});

test('a node that nobody manages counts as initialized', () => {
  expect(isInitialized(aNode('n', { managed: false }))).toBe(true);
});

test('a node leaves when its claim is being deleted or its instance terminated, not when only its Node is', () => {
  const claimGoing = aNode('a');
  const deleted = {
    ...claimGoing,
    ...(claimGoing.nodeClaim && {
      nodeClaim: {
        ...claimGoing.nodeClaim,
        metadata: { ...claimGoing.nodeClaim.metadata, deletionTimestamp: '2024-01-01T00:00:00Z' },
      },
    }),
  };
  expect(isNodeLeaving(deleted)).toBe(true);
  expect(isNodeLeaving(aNode('b', { claimConditions: [{ type: 'InstanceTerminating', status: 'True' }] }))).toBe(true);
  expect(isNodeLeaving(aNode('c'))).toBe(false);
  expect(isMarkedForDeletion(aNode('d', { markedForDeletion: true }))).toBe(true);
});
