import { expect, test } from 'vitest';
import type { EC2NodeClass } from './types.ts';
import { convertManifest } from './written-manifest.ts';

const nodeClass = (spec: object) =>
  convertManifest({
    apiVersion: 'karpenter.k8s.aws/v1beta1',
    kind: 'EC2NodeClass',
    metadata: { name: 'default' },
    spec: { amiFamily: 'AL2023', ...spec },
  } as never) as EC2NodeClass;

test.each([
  [{}, { httpPutResponseHopLimit: 2 }],
  [{ metadataOptions: { httpTokens: 'optional' } }, { httpPutResponseHopLimit: 2, httpTokens: 'optional' }],
  [{ metadataOptions: { httpPutResponseHopLimit: 1 } }, { httpPutResponseHopLimit: 1 }],
])('a node class of v1beta1 has the hop limit that v1beta1 gives it: %j', (spec, metadataOptions) => {
  expect(nodeClass(spec).spec.metadataOptions).toEqual(metadataOptions);
  expect(nodeClass(spec).apiVersion).toBe('karpenter.k8s.aws/v1');
});

test('what is no kind of Karpenter in v1beta1 comes back as it is', () => {
  const pool = { apiVersion: 'karpenter.sh/v1', kind: 'NodePool', metadata: { name: 'default' } };
  expect(convertManifest(pool)).toBe(pool);
});
