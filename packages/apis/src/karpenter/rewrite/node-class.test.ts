import { expect, test } from 'vitest';
import type { AWSNodeTemplate } from '../v1alpha/aws-node-template.ts';
import type { EC2NodeClassV1Beta1 } from '../v1beta1/carried-over.ts';
import { rewrittenNodeClass, rewrittenNodeTemplate } from './node-class.ts';

const aTemplate = (spec?: object): AWSNodeTemplate => ({
  apiVersion: 'karpenter.k8s.aws/v1alpha1',
  kind: 'AWSNodeTemplate',
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});
const aClass = (spec: object): EC2NodeClassV1Beta1 =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { name: 'a' },
    spec: { role: 'r', ...spec },
  }) as unknown as EC2NodeClassV1Beta1;

const ignoredPin = 'minimumAgeDuration beside a pinned release is ignored: a pin is an explicit choice';
const isUbuntu = 'spec.amiFamily Ubuntu is AL2 in v1, which starts nodes the same way; the images are still Ubuntu';

test.each([
  ['the latest of AL2', undefined, [{ alias: 'al2@latest' }], []],
  ['one of tags', { amiSelector: { env: 'a' } }, [{ tags: { env: 'a' } }], []],
  [
    'a pinned release, whatever its age',
    { amiFamily: 'AL2-v20220824', amiSelector: { minimumAgeDuration: '10d' } },
    [{ alias: 'al2@v20220824', minimumAgeDuration: '10d' }],
    [ignoredPin],
  ],
  ['a pinned release', { amiFamily: 'AL2-v20220824' }, [{ alias: 'al2@v20220824' }], []],
  [
    'one of an id, with a key that is ignored',
    { amiSelector: { 'aws::ids': 'ami-1', env: 'a' } },
    [{ id: 'ami-1' }],
    ['spec.amiSelector names images by id: env beside it is not respected'],
  ],
])('a template has %s', (_, spec, terms, remarks) => {
  const { object, ...rest } = rewrittenNodeTemplate(aTemplate(spec), { kubernetesVersion: '1.25' });
  expect(object.spec.amiSelectorTerms).toEqual(terms);
  expect(rest.remarks).toEqual(remarks);
});

test('selectors of subnets and security groups are left out where the template has none', () => {
  const { object } = rewrittenNodeTemplate(aTemplate({ subnetSelector: { a: 'b' } }), {});
  expect(object.spec).toMatchObject({ subnetSelectorTerms: [{ tags: { a: 'b' } }] });
  expect(object.spec).not.toHaveProperty('securityGroupSelectorTerms');
  const { object: other } = rewrittenNodeTemplate(aTemplate({ securityGroupSelector: { a: 'b' } }), {});
  expect(other.spec).toMatchObject({ securityGroupSelectorTerms: [{ tags: { a: 'b' } }] });
  expect(other.spec).not.toHaveProperty('subnetSelectorTerms');
});

const imagesOf = (spec: object, options: Parameters<typeof rewrittenNodeClass>[1] = {}) =>
  rewrittenNodeClass(aClass(spec), options).object.spec.amiSelectorTerms;

test('a class of Ubuntu has its images, where it selects none and the version is known', () => {
  const kubernetesVersion = '1.25';
  expect(imagesOf({ amiFamily: 'Ubuntu' }, { kubernetesVersion })).toEqual([
    { ssmParameter: expect.stringContaining('/1.25/stable/current/amd64') as string },
    { ssmParameter: expect.stringContaining('/1.25/stable/current/arm64') as string },
  ]);
  expect(imagesOf({ amiFamily: 'Ubuntu', amiSelectorTerms: [{ id: 'ami-1' }] }, { kubernetesVersion })).toEqual([
    { id: 'ami-1' },
  ]);
  expect(imagesOf({ amiFamily: 'AL2' }, { kubernetesVersion })).toEqual([{ alias: 'al2@latest' }]);
  expect(imagesOf({ amiFamily: 'Ubuntu' })).toEqual([{ id: 'ami-placeholder' }]);
  expect(rewrittenNodeClass(aClass({ amiFamily: 'Ubuntu' }), {}).remarks).toEqual([isUbuntu]);
});

test('the age of a family is that of its releases, and of no term that the class has', () => {
  const minimumAge = '10d';
  expect(imagesOf({ amiFamily: 'AL2' }, { minimumAge })).toEqual([{ alias: 'al2@latest', minimumAgeDuration: '10d' }]);
  expect(imagesOf({ amiFamily: 'AL2', amiSelectorTerms: [{ id: 'ami-1' }] }, { minimumAge })).toEqual([
    { id: 'ami-1' },
  ]);
});
