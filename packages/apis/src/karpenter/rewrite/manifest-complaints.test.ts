import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { manifestComplaints } from './manifest-complaints.ts';

const aManifest = (apiVersion: string, kind: string, spec: object = {}, annotations?: object): KubernetesObject =>
  ({
    apiVersion,
    kind,
    metadata: { name: 'a', ...(annotations === undefined ? {} : { annotations }) },
    spec,
  }) as KubernetesObject;

const complaintsOf = (object: KubernetesObject): readonly string[] =>
  manifestComplaints(object).map(({ field, remedy }) => `${field} ${remedy}`);

test.each([
  ['karpenter.sh/v1alpha3', 'Provisioner'],
  ['karpenter.k8s.aws/v1', 'AWSNodeTemplate'],
])('%s %s is no kind that can be converted', (apiVersion, kind) => {
  expect(manifestComplaints(aManifest(apiVersion, kind))).toEqual([
    {
      field: 'kind',
      value: `${kind} ${apiVersion}`,
      remedy: expect.stringMatching(/^cannot be converted; what can is NodePool karpenter.sh\/v1, /) as string,
    },
  ]);
});

test('kinds of others are not looked at', () => {
  expect(complaintsOf(aManifest('apps/v1', 'Deployment', { replicas: 'x' }))).toEqual([]);
  expect(complaintsOf({ kind: 'List', metadata: { name: 'a' } })).toEqual([]);
});

const template = (annotations?: object): KubernetesObject =>
  aManifest('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', {}, annotations);

test('metadata are not looked at, apart from the age in an annotation', () => {
  expect(complaintsOf(template())).toEqual([]);
  expect(complaintsOf(template({ other: 7 }))).toEqual([]);
  expect(complaintsOf(template({ 'nodewright.dev/minimum-age-duration': '10d' }))).toEqual([]);
  expect(complaintsOf(template({ 'nodewright.dev/minimum-age-duration': '10x' }))).toEqual([
    'metadata.annotations["nodewright.dev/minimum-age-duration"] must be an age such as 10d, 2w or 36h',
  ]);
});

test('a field that was proposed once says what there is instead, any other what is known', () => {
  const object = aManifest('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', { amiVersion: 'v1', colour: 'red' });
  expect(complaintsOf(object)).toEqual([
    expect.stringMatching(/^spec.amiVersion is not supported: the release is a suffix of the family/),
    expect.stringMatching(/^spec.colour is not known here/),
  ]);
});
