import { type EC2NodeClass, instant } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { chooseMinor } from './choose-minor.ts';

const inMarch2026 = instant(Date.parse('2026-03-02T08:00:00Z'));

const nodeClassOfTerms = (...amiSelectorTerms: EC2NodeClass['spec']['amiSelectorTerms']) =>
  ({
    apiVersion: 'karpenter.k8s.aws/v1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: { role: 'node', amiSelectorTerms, subnetSelectorTerms: [], securityGroupSelectorTerms: [] },
  }) satisfies EC2NodeClass;

test.each([
  ['al2023@latest', '1.34'],
  ['bottlerocket@latest', '1.34'],
  ['al2@latest', '1.32'],
  ['al2023@v20240807', '1.30'],
  ['bottlerocket@v1.20.4', '1.30'],
  ['al2023@v19990101', '1.34'],
])('%s is for a cluster of %s', (alias, minor) => {
  expect(chooseMinor([nodeClassOfTerms({ alias })], inMarch2026)).toBe(minor);
});

test.each([
  [{ name: 'amazon-eks-node-1.31-v20250203' }, '1.31'],
  [{ name: 'amazon-eks-node-al2023-x86_64-standard-1.32-*' }, '1.32'],
  [{ name: 'bottlerocket-aws-k8s-1.30-x86_64-v1.20.4-d8b8a5a5' }, '1.30'],
  [
    { ssmParameter: '/aws/service/eks/optimized-ami/1.33/amazon-linux-2023/x86_64/standard/recommended/image_id' },
    '1.33',
  ],
  [{ name: 'our-golden-image-*' }, '1.34'],
  [{ id: 'ami-0123456789abcdef0' }, '1.34'],
])('%o is for a cluster of %s', (term, minor) => {
  expect(chooseMinor([nodeClassOfTerms(term)], inMarch2026)).toBe(minor);
});

test('one class that pins an old release and one that follows the newest share the version that serves both', () => {
  expect(
    chooseMinor([nodeClassOfTerms({ alias: 'al2@latest' }), nodeClassOfTerms({ alias: 'al2023@latest' })], inMarch2026),
  ).toBe('1.32');
});

test('the version that serves most of the classes is taken where none serves all', () => {
  const latest = nodeClassOfTerms({ name: 'amazon-eks-node-al2023-x86_64-standard-1.34-*' });
  const classes = [nodeClassOfTerms({ alias: 'al2023@v20240807' }), latest, latest];
  expect(chooseMinor(classes, inMarch2026)).toBe('1.34');
});

test('without node classes it is the usual version', () => {
  expect(chooseMinor([], inMarch2026)).toBe('1.34');
});
