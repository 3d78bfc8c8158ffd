import { aPinnedClass, aPoolWithoutFindings, testLintExamples } from '@nodewright/testkit';
import { lintManifests } from '../lint-manifests.ts';
import {
  contradictionRule,
  emptyPoolRule,
  gracePeriodRule,
  missingNodeClassRule,
  narrowSpotRule,
  protectedTemplateRule,
  staticLimitRule,
  unlimitedPoolRule,
} from './pool-rules.ts';

const arch = (value: string) => ({ key: 'kubernetes.io/arch', operator: 'In', values: [value] });

testLintExamples(
  [
    contradictionRule,
    emptyPoolRule,
    gracePeriodRule,
    missingNodeClassRule,
    narrowSpotRule,
    protectedTemplateRule,
    staticLimitRule,
    unlimitedPoolRule,
  ],
  lintManifests,
  [
    {
      rule: 'pool-excludes-itself',
      fact: 'two requirements',
      objects: [aPoolWithoutFindings({ template: { requirements: [arch('arm64'), arch('amd64')] } })],
      tells: 'no value of kubernetes.io/arch',
    },
    {
      rule: 'pool-excludes-itself',
      fact: 'a requirement and a label',
      objects: [
        aPoolWithoutFindings({
          template: { requirements: [{ key: 'team', operator: 'In', values: ['a'] }] },
          templateMetadata: { labels: { team: 'b' } },
        }),
      ],
      tells: 'no value of team',
    },
    {
      rule: 'pool-excludes-itself',
      fact: 'bounds that overlap',
      objects: [
        aPoolWithoutFindings({
          template: {
            requirements: [
              { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Gt', values: ['3'] },
              { key: 'karpenter.k8s.aws/instance-cpu', operator: 'Lt', values: ['9'] },
            ],
          },
        }),
      ],
    },
    {
      rule: 'pool-without-types',
      fact: 'a type that does not exist',
      objects: [
        aPoolWithoutFindings({
          template: {
            requirements: [{ key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m99.large'] }],
          },
        }),
      ],
      tells: 'none of 6 instance types',
    },
    {
      rule: 'pool-without-types',
      fact: 'no catalogue',
      objects: [aPoolWithoutFindings()],
      setting: { typesOf: () => [] },
    },
    {
      rule: 'replicas-over-limit',
      fact: 'more replicas than nodes',
      objects: [aPoolWithoutFindings({ spec: { replicas: 5, limits: { nodes: '4' } } })],
      tells: 'asks for 5 nodes and may have 4',
    },
    {
      rule: 'replicas-over-limit',
      fact: 'as many',
      objects: [aPoolWithoutFindings({ spec: { replicas: 5, limits: { nodes: '5' } } })],
    },
    {
      rule: 'spot-with-few-types',
      fact: 'one type',
      objects: [
        aPoolWithoutFindings({
          template: {
            requirements: [
              { key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] },
              { key: 'node.kubernetes.io/instance-type', operator: 'In', values: ['m5.large'] },
            ],
          },
        }),
      ],
      tells: '1 instance type is left',
    },
    {
      rule: 'spot-with-few-types',
      fact: 'six types',
      objects: [
        aPoolWithoutFindings({
          template: { requirements: [{ key: 'karpenter.sh/capacity-type', operator: 'In', values: ['spot'] }] },
        }),
      ],
    },
    {
      rule: 'expiry-without-grace-period',
      fact: 'the default expiry',
      objects: [aPoolWithoutFindings({ template: { terminationGracePeriod: undefined } })],
      tells: 'nodes expire after 720h',
    },
    {
      rule: 'expiry-without-grace-period',
      fact: 'no expiry',
      objects: [aPoolWithoutFindings({ template: { terminationGracePeriod: undefined, expireAfter: 'Never' } })],
    },
    {
      rule: 'pool-never-disrupted',
      fact: 'an annotation of the template',
      objects: [aPoolWithoutFindings({ templateMetadata: { annotations: { 'karpenter.sh/do-not-disrupt': 'true' } } })],
      tells: 'no new image reaches its nodes',
    },
    {
      rule: 'pool-without-limits',
      fact: 'no limits',
      objects: [aPoolWithoutFindings({ spec: { limits: undefined } })],
      tells: 'nothing bounds',
    },
    {
      rule: 'node-class-missing',
      fact: 'another class',
      objects: [aPoolWithoutFindings(), { ...aPinnedClass('al2023@v20251215'), metadata: { name: 'batch' } }],
      tells: 'name one of batch',
    },
    { rule: 'node-class-missing', fact: 'no classes at all', objects: [aPoolWithoutFindings()] },
  ],
);
