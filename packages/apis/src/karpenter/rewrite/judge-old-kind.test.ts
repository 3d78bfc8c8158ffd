import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { judgeOldKind } from './judge-old-kind.ts';

const aTemplate = (spec?: object): KubernetesObject => ({
  apiVersion: 'karpenter.k8s.aws/v1alpha1',
  kind: 'AWSNodeTemplate',
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});
const aProvisioner = (spec?: object): KubernetesObject => ({
  apiVersion: 'karpenter.sh/v1alpha5',
  kind: 'Provisioner',
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});

test('a template is judged by itself', () => {
  expect(judgeOldKind(aTemplate({ instanceProfile: 'p' }), { clusterName: 'demo' })).toMatchObject({
    object: { apiVersion: 'karpenter.k8s.aws/v1', kind: 'EC2NodeClass', metadata: { name: 'a' } },
  });
  expect(judgeOldKind(aTemplate({ amiFamily: 'Custom' }), {})).toMatchObject({
    complaints: [{ field: 'spec.amiFamily' }],
  });
});

test('a remark in an age is refused, though a file may have it', () => {
  expect(judgeOldKind(aTemplate({ amiSelector: { minimumAgeDuration: '10d // ten days' } }), {})).toMatchObject({
    complaints: [
      { field: 'spec.amiSelector.minimumAgeDuration', remedy: expect.stringContaining('# ten days') as string },
    ],
  });
});

const inPool = { spec: { template: { spec: { nodeClassRef: { name: 'b' } } } } };

test('kubelet settings of a Provisioner are not judged: they go to the class of its template', () => {
  const spec = { providerRef: { name: 'b' }, weight: 7, kubeletConfiguration: { maxPods: 20 } };
  const outcome = judgeOldKind(aProvisioner(spec), {});
  expect(outcome).toMatchObject({ object: { kind: 'NodePool', ...inPool }, remarks: [] });
  expect(outcome).toMatchObject({ object: { spec: { weight: 7 } } });
  expect(outcome).not.toHaveProperty('kubelet');
});

test('a Provisioner without them is judged as it is', () => {
  expect(judgeOldKind(aProvisioner({ providerRef: { name: 'b' } }), {})).toMatchObject({ object: inPool, remarks: [] });
  expect(judgeOldKind(aProvisioner(), {})).toMatchObject({ complaints: [{ field: 'spec.providerRef' }] });
});

test('another kind with such a field is refused for it', () => {
  expect(judgeOldKind(aTemplate({ kubeletConfiguration: { maxPods: 20 } }), {})).toMatchObject({
    complaints: [{ field: 'spec.kubeletConfiguration' }],
  });
});
