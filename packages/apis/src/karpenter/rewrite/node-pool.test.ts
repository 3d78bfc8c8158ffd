import { expect, test } from 'vitest';
import type { NodeClaimV1Beta1 } from '../v1beta1/convert-node-claim.ts';
import type { NodePoolV1Beta1 } from '../v1beta1/convert-node-pool.ts';
import { rewrittenNodeClaim, rewrittenNodePool, rewrittenProvisioner } from './node-pool.ts';

const aPool = (template: object): NodePoolV1Beta1 => ({
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'a' },
  spec: { template: { spec: { nodeClassRef: { name: 'b' }, requirements: [], ...template } } },
});
const aClaim = (spec: object): NodeClaimV1Beta1 => ({
  apiVersion: 'karpenter.sh/v1beta1',
  kind: 'NodeClaim',
  metadata: { name: 'a' },
  spec: { nodeClassRef: { name: 'b' }, requirements: [], ...spec },
});

const kubelet = { maxPods: 20 };

test.each([
  ['of defaults', {}, { remarks: [] }],
  ['with resources', { resources: {} }, { remarks: ['spec.template.spec.resources is dropped: it had no effect'] }],
  ['with kubelet settings', { kubelet }, { remarks: [], kubelet: { nodeClass: 'b', settings: kubelet } }],
])('a pool %s', (_, template, expected) => {
  const { object, ...rest } = rewrittenNodePool(aPool(template));
  expect(rest).toStrictEqual(expected);
  expect(object.metadata).toEqual({ name: 'a' });
});

test.each([
  ['of defaults', {}, []],
  ['with kubelet settings', { kubelet }, ['spec.kubelet is dropped: v1 takes it from the EC2NodeClass']],
])('a claim %s', (_, spec, remarks) => {
  expect(rewrittenNodeClaim(aClaim(spec)).remarks).toEqual(remarks);
});

test.each([
  ['without a spec', undefined, {}],
  ['without kubelet settings', {}, {}],
  [
    'with kubelet settings',
    { providerRef: { name: 'b' }, kubeletConfiguration: kubelet },
    { kubelet: { nodeClass: 'b', settings: kubelet } },
  ],
])('a Provisioner %s', (_, spec, expected) => {
  const provisioner = {
    apiVersion: 'karpenter.sh/v1alpha5',
    kind: 'Provisioner',
    metadata: { name: 'a' },
    ...(spec === undefined ? {} : { spec }),
  };
  const { object, ...rest } = rewrittenProvisioner(provisioner);
  expect(object.kind).toBe('NodePool');
  expect(rest).toStrictEqual({ remarks: [], ...expected });
});
