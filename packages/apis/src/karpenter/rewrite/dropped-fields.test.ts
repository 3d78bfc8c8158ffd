import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { droppedFieldRemedy } from './dropped-fields.ts';

const aManifest = (apiVersion: string, spec?: unknown): KubernetesObject => ({
  apiVersion,
  kind: 'EC2NodeClass',
  metadata: { name: 'a' },
  ...(spec === undefined ? {} : { spec }),
});

const v1 = 'karpenter.k8s.aws/v1';
const v1beta1 = 'karpenter.k8s.aws/v1beta1';
const anyRelease = 'is not supported: the release is a suffix of the family, as in amiFamily: Bottlerocket-v1.9.1';

test.each([
  [
    v1,
    { amiFamily: 'AL2', amiVersion: 'v20220824' },
    'is not supported: write amiSelectorTerms: [{alias: al2@v20220824}]',
  ],
  [
    v1beta1,
    { amiFamily: 'AL2', amiVersion: 'v20220824' },
    'is not supported: the release is a suffix of the family; write amiFamily: AL2-v20220824',
  ],
  [v1, { amiVersion: 'v20220824' }, anyRelease],
  [v1, { amiFamily: 'AL2', amiVersion: 7 }, anyRelease],
  [v1, { amiFamily: 7, amiVersion: 'v20220824' }, anyRelease],
  [v1, null, anyRelease],
  [v1, 'AL2', anyRelease],
  [v1, undefined, anyRelease],
])('amiVersion in %s with %j', (apiVersion, spec, remedy) => {
  expect(droppedFieldRemedy('spec.amiVersion', aManifest(apiVersion, spec))).toBe(remedy);
});

test.each(['spec.driftTTL', 'spec.drift_ttl', 'driftTtl', 'spec.disruption.driftTTL'])('%s', (field) => {
  expect(droppedFieldRemedy(field, aManifest(v1, {}))).toMatch(/^is not supported: .*budgets/);
});

test.each(['', 'spec', 'spec.amiFamily', 'spec.amiVersion.x', 'spec.driftTTLs', 'spec.ttlDrift'])(
  '"%s" was never proposed',
  (field) => {
    expect(droppedFieldRemedy(field, aManifest(v1, {}))).toBeUndefined();
  },
);
