import { instant } from '@nodewright/apis';
import {
  aNodeClassOf,
  aPinnedClass,
  aPoolWithoutFindings,
  aRolloutPolicy,
  testLintExamples,
} from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import { movingImageRule } from './moving-rules.ts';
import { agedPinRule, endedFamilyRule, knownIssueRule } from './pin-rules.ts';

testLintExamples([movingImageRule, agedPinRule, endedFamilyRule, knownIssueRule], lintManifests, [
  {
    rule: 'image-known-bad',
    fact: 'an alias',
    objects: [aPinnedClass('al2023@v20240807')],
    tells: 'https://github.com/awslabs/amazon-eks-ami/issues/1933',
  },
  {
    rule: 'image-known-bad',
    fact: 'a name',
    objects: [aNodeClassOf({ name: 'amazon-eks-node-1.32-v20251103' })],
    tells: 'fractional CPU',
  },
  {
    rule: 'image-known-bad',
    fact: 'a minor that is concerned',
    objects: [aPinnedClass('al2@v20240117')],
    setting: { kubernetesVersion: '1.29' },
    tells: 'v20240202 does not have this defect',
  },
  {
    rule: 'image-known-bad',
    fact: 'a minor that is not',
    objects: [aPinnedClass('al2@v20240117')],
    setting: { kubernetesVersion: '1.28' },
  },
  { rule: 'image-known-bad', fact: 'the first good release', objects: [aPinnedClass('al2023@v20240828')] },
  {
    rule: 'image-pin-old',
    fact: 'a release of a year ago',
    objects: [aPinnedClass('al2023@v20250115')],
    tells: 'the release is 365 days old',
  },
  { rule: 'image-pin-old', fact: 'a release of last month', objects: [aPinnedClass('al2023@v20251215')] },
  {
    rule: 'image-pin-old',
    fact: 'Bottlerocket, whose versions have no date',
    objects: [aPinnedClass('bottlerocket@v1.20.4')],
  },
  {
    rule: 'image-family-ended',
    fact: 'a minor without images',
    objects: [aPinnedClass('al2@latest')],
    setting: { kubernetesVersion: '1.33' },
    tells: 'there are no images of Amazon Linux 2 for Kubernetes 1.33',
  },
  {
    rule: 'image-family-ended',
    fact: 'after its end',
    objects: [aNodeClassOf({ id: 'ami-1' }, { amiFamily: 'AL2' })],
    tells: 'no fixes since November 2025',
  },
  {
    rule: 'image-family-ended',
    fact: 'before its end',
    objects: [aPinnedClass('al2@latest')],
    setting: { now: instant(Date.parse('2025-06-01T00:00:00Z')) },
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'an alias',
    objects: [aPinnedClass('al2023@latest')],
    tells: 'minimumAgeDuration: 10d',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a pattern',
    objects: [aNodeClassOf({ name: 'amazon-eks-node-al2023-*' })],
    tells: 'before its vendor recommends it',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a moving parameter',
    objects: [
      aNodeClassOf({
        ssmParameter: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id',
      }),
    ],
    tells: 'as soon as the parameter changes',
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a minimum age',
    objects: [aNodeClassOf({ alias: 'al2023@latest', minimumAgeDuration: '10d' })],
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a policy for the pool',
    objects: [
      aPinnedClass('al2023@latest'),
      aPoolWithoutFindings(),
      aRolloutPolicy({ selector: { nodePools: { matchLabels: { 'kubernetes.io/metadata.name': 'web' } } } }),
    ],
  },
  {
    rule: 'image-without-minimum-age',
    fact: 'a policy for another pool',
    objects: [
      aPinnedClass('al2023@latest'),
      aPoolWithoutFindings(),
      aRolloutPolicy({ selector: { nodePools: { matchLabels: { tier: 'batch' } } } }),
    ],
    tells: 'NodeRolloutPolicy',
  },
]);
