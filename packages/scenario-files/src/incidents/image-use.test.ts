import type { EC2NodeClass } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { readImageUse } from './image-use.ts';

const nodeClassOfImages = (spec: Partial<EC2NodeClass['spec']>): EC2NodeClass => ({
  apiVersion: 'karpenter.k8s.aws/v1',
  kind: 'EC2NodeClass',
  metadata: { name: 'default' },
  spec: { role: 'node', amiSelectorTerms: [], subnetSelectorTerms: [], securityGroupSelectorTerms: [], ...spec },
});

test.each([
  ['al2023@latest', { followed: ['AL2023'] }],
  ['al2@latest', { followed: ['AL2'] }],
  ['ubuntu@latest', { followed: ['Ubuntu'] }],
  ['bottlerocket@v1.20.4', { followed: [], pin: { family: 'Bottlerocket', version: '1.20.4' } }],
  ['al2023@v20240807', { followed: [], pin: { family: 'AL2023', version: 'v20240807' } }],
  ['windows2022@latest', { followed: [] }],
])('%s', (alias, use) => {
  expect(readImageUse([nodeClassOfImages({ amiSelectorTerms: [{ alias }] })])).toEqual(use);
});

test('names without a wildcard pin, images of a team stand for the newest of their family', () => {
  const named = nodeClassOfImages({
    amiFamily: 'AL2023',
    amiSelectorTerms: [{ name: 'amazon-eks-node-al2023-x86_64-standard-1.34-v20251029' }],
  });
  const own = nodeClassOfImages({ amiFamily: 'Bottlerocket', amiSelectorTerms: [{ id: 'ami-0123456789abcdef0' }] });
  expect(readImageUse([named, own])).toEqual({
    followed: ['Bottlerocket'],
    pin: { family: 'AL2023', version: 'v20251029' },
  });
});
