import type { KubernetesObject } from '../../kubernetes/meta.ts';
import { expect, test } from 'vitest';
import { referenceToV1, referenceToV1Beta1 } from './node-class-reference.ts';

test.each([
  [{ name: 'a' }, { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'a' }],
  [
    { apiVersion: 'x.y/v1', kind: 'Other', name: 'a' },
    { group: 'x.y', kind: 'Other', name: 'a' },
  ],
  [
    { apiVersion: 'x.y', name: 'a' },
    { group: 'x.y', kind: 'EC2NodeClass', name: 'a' },
  ],
  [
    { apiVersion: '', name: 'a' },
    { group: '', kind: 'EC2NodeClass', name: 'a' },
  ],
])('%j in v1', (old, reference) => {
  expect(referenceToV1(old)).toEqual(reference);
});

const inV1 = { group: 'karpenter.k8s.aws', kind: 'EC2NodeClass', name: 'now' };

const anObject = (written?: unknown): KubernetesObject => ({
  metadata: {
    name: 'a',
    ...(written === undefined
      ? {}
      : { annotations: { 'compatibility.karpenter.sh/v1beta1-nodeclass-reference': JSON.stringify(written) } }),
  },
});

test.each([
  ['one that was never written', undefined, { kind: 'EC2NodeClass', name: 'now' }],
  ['one that was written without kind', { name: 'then' }, { name: 'now' }],
  [
    'one that was written whole',
    { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'then' },
    { apiVersion: 'karpenter.k8s.aws/v1beta1', kind: 'EC2NodeClass', name: 'now' },
  ],
  ['one of another group', { apiVersion: 'x.y/v1', kind: 'EC2NodeClass' }, { kind: 'EC2NodeClass', name: 'now' }],
  ['one of another kind', { kind: 'Other' }, { kind: 'EC2NodeClass', name: 'now' }],
  ['one whose members are no texts', { apiVersion: 7, kind: 8 }, { name: 'now' }],
])('the way back of %s', (_, written, reference) => {
  expect(referenceToV1Beta1(anObject(written), inV1)).toStrictEqual(reference);
});
