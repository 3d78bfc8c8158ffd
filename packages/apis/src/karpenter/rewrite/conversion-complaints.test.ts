import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { conversionComplaints } from './conversion-complaints.ts';

const aManifest = (apiVersion: string, kind: string, spec?: object): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});
const aTemplate = (spec?: object): KubernetesObject => aManifest('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', spec);
const aClass = (spec: object, apiVersion = 'karpenter.k8s.aws/v1beta1'): KubernetesObject =>
  aManifest(apiVersion, 'EC2NodeClass', spec);
const aProvisioner = (spec?: object): KubernetesObject => aManifest('karpenter.sh/v1alpha5', 'Provisioner', spec);

const ubuntu = {
  field: 'spec.amiFamily',
  value: 'Ubuntu',
  remedy: expect.stringContaining('--kubernetes-version') as string,
};
const noProvider = { field: 'spec.providerRef', remedy: expect.stringContaining('is missing') as string };

test.each([
  ['a template of AL2', aTemplate({ amiFamily: 'AL2' }), []],
  ['a template without a spec', aTemplate(), []],
  ['a template of Ubuntu', aTemplate({ amiFamily: 'Ubuntu' }), [ubuntu]],
  ['a template of Ubuntu with a selector', aTemplate({ amiFamily: 'Ubuntu', amiSelector: { env: 'a' } }), []],
  ['a class of AL2', aClass({ amiFamily: 'AL2' }), []],
  ['a class of Ubuntu', aClass({ amiFamily: 'Ubuntu' }), [ubuntu]],
  ['a class of Ubuntu with no terms', aClass({ amiFamily: 'Ubuntu', amiSelectorTerms: [] }), [ubuntu]],
  ['a class of Ubuntu with terms', aClass({ amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-1' }] }), []],
  ['a class of v1', aClass({ amiFamily: 'Ubuntu' }, 'karpenter.k8s.aws/v1'), []],
  ['another kind of v1beta1', aManifest('karpenter.k8s.aws/v1beta1', 'Other', { amiFamily: 'Ubuntu' }), []],
  ['a Provisioner with a reference', aProvisioner({ providerRef: { name: 'a' } }), []],
  ['a Provisioner without one', aProvisioner({}), [noProvider]],
  ['a Provisioner without a spec', aProvisioner(), [noProvider]],
  [
    'a Provisioner with the provider in it',
    aProvisioner({ provider: {}, providerRef: { name: 'a' } }),
    [{ field: 'spec.provider', remedy: expect.stringContaining('AWSNodeTemplate') as string }],
  ],
])('%s, where the version of Kubernetes is not known', (_, object, complaints) => {
  expect(conversionComplaints(object, {})).toEqual(complaints);
});

test('images of Ubuntu are found for a version that is known', () => {
  expect(conversionComplaints(aClass({ amiFamily: 'Ubuntu' }), { kubernetesVersion: '1.29' })).toEqual([]);
});
