import type { CapacityBuffer } from '@nodewright/apis';
import { aPod } from '@nodewright/testkit';
import { describe, expect, test } from 'vitest';
import { bufferOutcomes, provisioningCondition } from './buffer-outcome.ts';
import { bufferNameOf, isRealPod, unitRequests, virtualPods } from './virtual-pods.ts';

const aBuffer = (name = 'spare', replicas = 2, ready: 'True' | 'False' = 'True'): CapacityBuffer => ({
  metadata: { name, namespace: 'shop', uid: `uid-${name}` },
  spec: { podTemplateRef: { name: 'web' }, replicas },
  status: { replicas, conditions: [{ type: 'ReadyForProvisioning', status: ready }] },
});

const template = {
  metadata: { labels: { app: 'web' }, annotations: { 'karpenter.sh/do-not-disrupt': 'true' } },
  spec: {
    nodeName: 'some-node',
    priority: 1000,
    nodeSelector: { team: 'a' },
    containers: [
      {
        name: 'web',
        resources: { requests: { cpu: '1' } },
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'scratch', mountPath: '/tmp' },
          { name: 'cache', mountPath: '/c' },
        ],
      },
    ],
    volumes: [
      { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
      { name: 'scratch', emptyDir: {} },
      { name: 'cache', ephemeral: { volumeClaimTemplate: {} } },
    ],
  },
};

describe('the units of a buffer', () => {
  const [first, second] = virtualPods(aBuffer(), template, 2);

  test('are numbered from one', () => {
    expect([first, second].map((pod) => [pod?.metadata.name, pod?.metadata.namespace, pod?.metadata.uid])).toEqual([
      ['capacity-buffer-spare-1', 'shop', 'uid-spare-1'],
      ['capacity-buffer-spare-2', 'shop', 'uid-spare-2'],
    ]);
  });

  test('carry the labels of their template and tell whose they are', () => {
    expect(first?.metadata.labels).toEqual({ app: 'web' });
    expect(first?.metadata.annotations).toEqual({
      'karpenter.sh/capacity-buffer-fake-pod': 'true',
      'karpenter.sh/capacity-buffer-name': 'spare',
      'karpenter.sh/capacity-buffer-namespace': 'shop',
    });
  });

  test('are bound to no node and no volume of their own, and stand behind everybody', () => {
    expect(first?.spec).toEqual({
      priority: -2147483648,
      nodeSelector: { team: 'a' },
      containers: [
        {
          name: 'web',
          resources: { requests: { cpu: '1' } },
          volumeMounts: [{ name: 'scratch', mountPath: '/tmp' }],
        },
      ],
      volumes: [{ name: 'scratch', emptyDir: {} }],
    });
  });

  test('wait for a node', () => {
    expect(first?.status?.conditions).toEqual([{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }]);
  });

  test('ask for what their template asks for', () => {
    expect(unitRequests(template)['cpu']).toBe(1000);
  });

  test('are told from pods that somebody made', () => {
    const real = aPod('web');
    expect([real, ...virtualPods(aBuffer(), template, 1)].filter(isRealPod)).toEqual([real]);
    expect([first, real].map((pod) => pod && bufferNameOf(pod))).toEqual(['shop/spare', undefined]);
  });

  test('of a buffer that is not named are nobody’s', () => {
    const nameless = {
      ...aPod('x'),
      metadata: { name: 'x', annotations: { 'karpenter.sh/capacity-buffer-fake-pod': 'true' } },
    };
    expect(bufferNameOf(nameless)).toBeUndefined();
  });
});

test('what a round found is counted by buffer', () => {
  const [a1, a2, a3] = virtualPods(aBuffer('a'), template, 3) as [never, never, never];
  const [b1] = virtualPods(aBuffer('b'), template, 1) as [never];
  expect(bufferOutcomes({ existing: [a1, aPod('real')], onNew: [a2, b1], failed: [a3] })).toEqual(
    new Map([
      ['shop/a', { existing: 1, onNew: 1, failed: 1 }],
      ['shop/b', { existing: 0, onNew: 1, failed: 0 }],
    ]),
  );
});

describe('a buffer', () => {
  test.each([
    { fact: 'whose units are not known', buffer: aBuffer('a', 2, 'False'), is: 'False NotReadyForProvisioning' },
    { fact: 'without units', buffer: aBuffer('a', 0), is: 'False BufferEmpty' },
    { fact: 'with all units on nodes that are there', outcome: { existing: 2 }, is: 'True FitsExistingCapacity' },
    { fact: 'with a unit on a new node', outcome: { existing: 1, onNew: 1 }, is: 'False RequiresNewCapacity' },
    { fact: 'with a unit that has no place', outcome: { existing: 1, failed: 1 }, is: 'False RequiresNewCapacity' },
    { fact: 'that the round did not come to', is: undefined },
  ])('$fact says so', ({ buffer = aBuffer(), outcome, is }) => {
    const full = outcome && { onNew: 0, failed: 0, ...outcome };
    const condition = provisioningCondition(buffer, full);
    expect(condition && `${condition.status} ${condition.reason}`).toBe(is);
  });
});
