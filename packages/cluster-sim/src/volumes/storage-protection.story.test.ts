import type { PersistentVolume, PersistentVolumeClaim, Pod } from '@nodewright/apis';
import { expect, test } from 'vitest';
import { planClaimRelease, planVolumeRelease } from './storage-protection.ts';

const deletionTimestamp = '2024-01-28T16:00:00Z';

const aClaim = (metadata: object = { deletionTimestamp }): PersistentVolumeClaim => ({
  metadata: { name: 'data', namespace: 'default', finalizers: ['kubernetes.io/pvc-protection'], ...metadata },
});

const aPod = (nodeName?: string): Pod => ({
  metadata: { name: 'p', namespace: 'default' },
  spec: { containers: [], ...(nodeName !== undefined && { nodeName }) },
});

const over = { uid: 'pod-1', deletionTimestamp, deletionGracePeriodSeconds: 0 };
const madeForPod = aClaim({
  deletionTimestamp,
  ownerReferences: [{ apiVersion: 'v1', kind: 'Pod', name: 'p', uid: 'pod-1', blockOwnerDeletion: true }],
});
const aPodThatIs = (metadata: object): Pod => ({ ...aPod('n'), metadata: { ...aPod('n').metadata, ...metadata } });

test.each([
  { fact: 'that nobody uses goes', claim: aClaim(), users: [], goes: true },
  { fact: 'of a pod without a node goes', claim: aClaim(), users: [aPod()], goes: true },
  { fact: 'of a pod on a node stays', claim: aClaim(), users: [aPod(), aPod('n')], goes: false },
  { fact: 'that waits for a pod that waits for it goes', claim: madeForPod, users: [aPodThatIs(over)], goes: true },
  {
    fact: 'made for a pod that still ends stays',
    claim: madeForPod,
    users: [aPodThatIs({ ...over, deletionGracePeriodSeconds: 30 })],
    goes: false,
  },
  { fact: 'of a user stays until the last pod is gone', claim: aClaim(), users: [aPodThatIs(over)], goes: false },
  { fact: 'that is not deleted stays', claim: aClaim({}), users: [], goes: false },
  {
    fact: 'without the finalizer needs nothing',
    claim: aClaim({ deletionTimestamp, finalizers: ['other'] }),
    users: [],
    goes: false,
  },
])('a deleted claim $fact', ({ claim, users, goes }) => {
  expect(planClaimRelease({ claim, users }).actions).toEqual(goes ? [claim] : []);
});

test.each([
  { phase: 'Released', goes: true },
  { phase: 'Available', goes: true },
  { phase: 'Bound', goes: false },
] as const)('a deleted volume that is $phase goes: $goes', ({ phase, goes }) => {
  const volume: PersistentVolume = {
    metadata: { name: 'v', finalizers: ['kubernetes.io/pv-protection'], deletionTimestamp },
    status: { phase },
  };
  expect(planVolumeRelease(volume).actions).toEqual(goes ? [volume] : []);
});
