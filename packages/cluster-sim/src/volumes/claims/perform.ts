import { persistentVolumeClaims, type PersistentVolumeClaim, persistentVolumes } from '@nodewright/apis';
import type { EventRecorder, KubernetesClient } from '@nodewright/runtime';
import { unlessGone, unlessRefusedAs } from '../../control-plane/refusals.ts';
import { patchStatus } from '../../control-plane/writes.ts';
import { keyOfMeta } from '../../objects/object-key.ts';
import type { VolumeClaimAction } from './plan.ts';

export type ClaimWriters = { readonly client: KubernetesClient; readonly events: EventRecorder };

/** @param claim undefined when only volumes of it are left: then volumes are written, and that is all */
export async function perform(
  action: VolumeClaimAction,
  claim: PersistentVolumeClaim | undefined,
  writers: ClaimWriters,
): Promise<void> {
  const { client } = writers;
  switch (action.kind) {
    case 'deleteVolume':
      await unlessGone(client.delete(persistentVolumes, keyOfMeta(action.volume.metadata)));
      return;
    case 'writePhase':
      return patchStatus(client, persistentVolumes, action.volume, { phase: action.phase });
    case 'createVolume':
      await unlessRefusedAs('AlreadyExists', client.create(persistentVolumes, action.volume));
      return;
    default:
      if (claim !== undefined) await performOnClaim(action, claim, writers);
  }
}

type OwnAction = Exclude<VolumeClaimAction, { readonly kind: 'deleteVolume' | 'writePhase' | 'createVolume' }>;

async function performOnClaim(
  action: OwnAction,
  claim: PersistentVolumeClaim,
  { client, events }: ClaimWriters,
): Promise<void> {
  switch (action.kind) {
    case 'claimVolume': {
      const { name, namespace, uid } = claim.metadata;
      const claimRef = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', namespace, name, uid };
      const key = keyOfMeta(action.volume.metadata);
      await client.patch(persistentVolumes, key, { type: 'merge', patch: { spec: { claimRef } } });
      return;
    }
    case 'changeClaim': {
      const { patch } = action;
      await unlessGone(client.patch(persistentVolumeClaims, keyOfMeta(claim.metadata), { type: 'merge', patch }));
      return;
    }
    case 'writeClaimStatus':
      return patchStatus(client, persistentVolumeClaims, claim, action.status);
    case 'report': {
      const { type, reason, message } = action;
      events.publish({ kind: persistentVolumeClaims, about: claim, type, reason, message });
    }
  }
}
