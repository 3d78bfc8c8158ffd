import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { amiFamilyComplaints } from './ami-family-complaints.ts';

const aManifest = (apiVersion: string, kind: string, spec?: unknown): KubernetesObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});
const aTemplate = (spec?: unknown): KubernetesObject =>
  aManifest('karpenter.k8s.aws/v1alpha1', 'AWSNodeTemplate', spec);
const aClass = (spec?: unknown): KubernetesObject => aManifest('karpenter.k8s.aws/v1beta1', 'EC2NodeClass', spec);

const familyIsMissing = 'spec.amiFamily has no images of its own: select some by id, name or tags';
const releaseBeside = (field: string): string =>
  `spec.amiFamily pins a release, and ${field} selects other images: write AL2, or leave the selector out`;

for (const [fact, object, complaints] of [
  ['an empty template', aTemplate({}), []],
  ['a template without a spec', aTemplate(), []],
  ['a spec that is none', aTemplate(null), []],
  ['a spec that is a text', aTemplate('AL2-v20220824'), []],
  ['a template of Custom with a selector', aTemplate({ amiFamily: 'Custom', amiSelector: { env: 'a' } }), []],
  [
    'a template of Custom with an age alone',
    aTemplate({ amiFamily: 'Custom', amiSelector: { minimumAgeDuration: '10d' } }),
    [familyIsMissing],
  ],
  ['a pinned template', aTemplate({ amiFamily: 'AL2-v20220824' }), []],
  [
    'a pinned template with a selector',
    aTemplate({ amiFamily: 'AL2-v20220824', amiSelector: { env: 'a' } }),
    [releaseBeside('spec.amiSelector')],
  ],
  ['a template with a selector', aTemplate({ amiFamily: 'AL2', amiSelector: { env: 'a' } }), []],
  [
    'a template with owners and an age',
    aTemplate({ amiSelector: { 'aws::owners': 'self', minimumAgeDuration: '10d' } }),
    ['spec.amiSelector names owners only: add aws::name or tags'],
  ],
  ['a template with owners and tags', aTemplate({ amiSelector: { 'aws::owners': 'self', env: 'a' } }), []],
  [
    'an age that is none',
    aTemplate({ amiSelector: { minimumAgeDuration: '10x' } }),
    ['spec.amiSelector.minimumAgeDuration must be an age such as 10d, 2w or 36h'],
  ],
  // Not a text: the shape of the manifest is refused for it.
  ['an age that is a number', aTemplate({ amiSelector: { minimumAgeDuration: 10 } }), []],
  ['a class of Custom with terms', aClass({ amiFamily: 'Custom', amiSelectorTerms: [{ id: 'ami-1' }] }), []],
  ['a class of Custom without terms', aClass({ amiFamily: 'Custom', amiSelectorTerms: [] }), [familyIsMissing]],
  [
    'a class of Custom with terms that are no list',
    aClass({ amiFamily: 'Custom', amiSelectorTerms: 'x' }),
    [familyIsMissing],
  ],
  ['a pinned class', aClass({ amiFamily: 'AL2-v20220824' }), []],
  [
    'a pinned class with terms',
    aClass({ amiFamily: 'AL2-v20220824', amiSelectorTerms: [{ id: 'ami-1' }] }),
    [releaseBeside('spec.amiSelectorTerms')],
  ],
  ['a class with a family that is no text', aClass({ amiFamily: 7, amiSelectorTerms: [{ id: 'ami-1' }] }), []],
  ['a class of v1', aManifest('karpenter.k8s.aws/v1', 'EC2NodeClass', { amiFamily: 'Custom' }), []],
  ['another kind of v1beta1', aManifest('karpenter.k8s.aws/v1beta1', 'Other', { amiFamily: 'Custom' }), []],
] as const)
  test(`${fact} ${complaints.length === 0 ? 'means images' : 'is refused'}`, () => {
    expect(amiFamilyComplaints(object).map(({ field, remedy }) => `${field} ${remedy}`)).toEqual(complaints);
  });

test('a complaint has the value that is wrong', () => {
  expect(amiFamilyComplaints(aClass({ amiFamily: 'Custom' }))[0]?.value).toBe('Custom');
  const amiSelector = { 'aws::owners': 'self' };
  expect(amiFamilyComplaints(aTemplate({ amiSelector }))[0]?.value).toEqual(amiSelector);
});

test('a family that does not exist is refused', () => {
  expect(amiFamilyComplaints(aTemplate({ amiFamily: 'AL3' })).map(({ field }) => field)).toEqual(['spec.amiFamily']);
});
