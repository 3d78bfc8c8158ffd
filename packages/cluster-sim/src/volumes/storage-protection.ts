import {
  type PersistentVolume,
  type PersistentVolumeClaim,
  persistentVolumeClaims,
  persistentVolumes,
  type Pod,
  pods,
  type ResourceType,
} from '@nodewright/apis';
import { objectKeyText } from '@nodewright/runtime';
import type { ClusterControlPlane } from '../control-plane/control-plane.ts';
import { type ControllerPlan, startPlannedController } from '../control-plane/planned-controller.ts';
import { unlessGone, unlessRefusedAs } from '../control-plane/refusals.ts';
import { keyOfMeta } from '../objects/object-key.ts';
import { claimKeysOf } from './claims-of-pods.ts';

const claimFinalizer = 'kubernetes.io/pvc-protection';
const volumeFinalizer = 'kubernetes.io/pv-protection';

/** Lets deleted claims go when no pod on a node uses them, and deleted volumes when they are not bound. */
export function runStorageProtection(control: ClusterControlPlane): void {
  const { watches, options } = control;
  const claims = startPlannedController(control, {
    name: 'claim protection',
    observe: (key) => {
      const claim = watches.of(persistentVolumeClaims).get(key);
      return claim && { claim, users: watches.of(pods).by(claimKeysOf, key) };
    },
    plan: planClaimRelease,
    perform: (claim) => release(options.client, persistentVolumeClaims, claim, claimFinalizer),
  });
  const volumes = startPlannedController(control, {
    name: 'volume protection',
    observe: (name) => watches.of(persistentVolumes).get(name),
    plan: planVolumeRelease,
    perform: (volume) => release(options.client, persistentVolumes, volume, volumeFinalizer),
  });
  watches.of(persistentVolumeClaims).onChange((_, after) => {
    if (after?.metadata.deletionTimestamp !== undefined) claims.add(objectKeyText(after));
  });
  watches.of(persistentVolumes).onChange((_, after) => {
    if (after?.metadata.deletionTimestamp !== undefined) volumes.add(objectKeyText(after));
  });
  watches.of(pods).onChange((before, after) => {
    const over = after?.metadata.deletionGracePeriodSeconds === 0 ? after : undefined;
    const gone = after === undefined ? before : over;
    if (gone !== undefined) for (const key of claimKeysOf(gone)) claims.add(key);
  });
}

type ClaimUse = { readonly claim: PersistentVolumeClaim; readonly users: readonly Pod[] };

export const planClaimRelease = ({ claim, users }: ClaimUse): ControllerPlan<PersistentVolumeClaim> => ({
  actions: isHeld(claim, claimFinalizer) && !users.some((pod) => holdsClaim(pod, claim)) ? [claim] : [],
});

/**
 * A pod without a node does not hold a claim: no node lets it use a claim that is being deleted. Nor does a pod that is
 * over and waits only for the claim that was made for it.
 */
function holdsClaim({ metadata, spec }: Pod, claim: PersistentVolumeClaim): boolean {
  const isMadeForIt = claim.metadata.ownerReferences?.some(({ uid }) => uid === metadata.uid) ?? false;
  const isOver = metadata.deletionTimestamp !== undefined && metadata.deletionGracePeriodSeconds === 0;
  return (spec.nodeName ?? '') !== '' && !(isMadeForIt && isOver);
}

export const planVolumeRelease = (volume: PersistentVolume): ControllerPlan<PersistentVolume> => ({
  actions: isHeld(volume, volumeFinalizer) && volume.status?.phase !== 'Bound' ? [volume] : [],
});

const isHeld = ({ metadata }: PersistentVolume | PersistentVolumeClaim, finalizer: string): boolean =>
  metadata.deletionTimestamp !== undefined && (metadata.finalizers ?? []).includes(finalizer);

async function release<T extends PersistentVolume | PersistentVolumeClaim>(
  client: ClusterControlPlane['options']['client'],
  type: ResourceType<T>,
  { metadata }: T,
  finalizer: string,
): Promise<void> {
  const { uid, resourceVersion } = metadata;
  const finalizers = (metadata.finalizers ?? []).filter((name) => name !== finalizer);
  const patch = { metadata: { uid, resourceVersion, finalizers } };
  await unlessRefusedAs('Conflict', unlessGone(client.patch(type, keyOfMeta(metadata), { type: 'merge', patch })));
}
