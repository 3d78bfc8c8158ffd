import { kubernetesLabels, type Node, type PersistentVolume, type PersistentVolumeClaim } from '@nodewright/apis';
import type { ControllerPlan } from '../../control-plane/planned-controller.ts';
import { type ClaimStep, nextClaimStep, selectedNodeKey, type StorageFacts } from './claim-step.ts';
import { newVolume } from './new-volume.ts';

export type VolumeClaimSnapshot = {
  /** Undefined when only volumes of the claim are left. */
  readonly claim: PersistentVolumeClaim | undefined;
  /** Volumes whose `claimRef` has the name of the claim. */
  readonly claimed: readonly PersistentVolume[];
  /** The volume that the claim names. */
  readonly volume: PersistentVolume | undefined;
  readonly storage: StorageFacts;
  /** The first zone with a node, for classes that do not wait for a pod. */
  readonly firstZone: string | undefined;
};

export type VolumePhase = 'Available' | 'Bound' | 'Released';

export type VolumeClaimAction =
  | { readonly kind: 'deleteVolume'; readonly volume: PersistentVolume }
  | { readonly kind: 'writePhase'; readonly volume: PersistentVolume; readonly phase: VolumePhase }
  | { readonly kind: 'createVolume'; readonly volume: PersistentVolume }
  /** Reserves the volume for the claim. */
  | { readonly kind: 'claimVolume'; readonly volume: PersistentVolume }
  | { readonly kind: 'changeClaim'; readonly patch: object }
  | { readonly kind: 'writeClaimStatus'; readonly status: object }
  | { readonly kind: 'report'; readonly type: 'Normal' | 'Warning'; readonly reason: string; readonly message: string };

/** Takes volumes back whose claim is gone, and leads the claim to its volume. */
export function plan({
  claim,
  claimed,
  volume,
  storage,
  firstZone,
}: VolumeClaimSnapshot): ControllerPlan<VolumeClaimAction> {
  const reclaimed = claimed.flatMap((each) => reclaimVolume(each, claim));
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return { actions: reclaimed };
  const isBoundTo = volume !== undefined && volume.spec?.claimRef?.uid === claim.metadata.uid;
  if (isBoundTo) return { actions: [...reclaimed, ...reportBinding(claim, volume)] };
  if (claim.status?.phase === 'Bound') return { actions: reclaimed };
  return { actions: [...reclaimed, ...performStep(claim, nextClaimStep(claim, storage), firstZone)] };
}

/** A volume whose claim is gone, or has a successor of the same name, is released, and deleted when its policy says so. */
function reclaimVolume(
  volume: PersistentVolume,
  claim: PersistentVolumeClaim | undefined,
): readonly VolumeClaimAction[] {
  const uid = volume.spec?.claimRef?.uid;
  if (uid === undefined || uid === claim?.metadata.uid) return [];
  const released = changePhase(volume, 'Released');
  const isTaken = volume.spec?.persistentVolumeReclaimPolicy === 'Delete';
  if (!isTaken || volume.metadata.deletionTimestamp !== undefined) return released;
  return [...released, { kind: 'deleteVolume', volume }];
}

function reportBinding(claim: PersistentVolumeClaim, volume: PersistentVolume): readonly VolumeClaimAction[] {
  const phase = changePhase(volume, 'Bound');
  if (claim.status?.phase === 'Bound') return phase;
  const { accessModes = [], capacity = {} } = volume.spec ?? {};
  return [...phase, { kind: 'writeClaimStatus', status: { phase: 'Bound', accessModes, capacity } }];
}

/** Nothing when the volume is in the phase already. */
export const changePhase = (volume: PersistentVolume, phase: VolumePhase): readonly VolumeClaimAction[] =>
  volume.status?.phase === phase ? [] : [{ kind: 'writePhase', volume, phase }];

function performStep(
  claim: PersistentVolumeClaim,
  step: ClaimStep,
  firstZone: string | undefined,
): readonly VolumeClaimAction[] {
  switch (step.kind) {
    case 'setClass':
      return [{ kind: 'changeClaim', patch: { spec: { storageClassName: step.name } } }];
    case 'forgetNode':
      return [{ kind: 'changeClaim', patch: { metadata: { annotations: { [selectedNodeKey]: null } } } }];
    case 'wait':
      return [{ kind: 'report', type: 'Normal', reason: step.reason, message: step.message }];
    case 'bind':
      return bindVolume(step.volume);
    case 'provision':
      return provisionVolume(claim, step, firstZone);
  }
}

function provisionVolume(
  claim: PersistentVolumeClaim,
  { storageClass, node }: Extract<ClaimStep, { kind: 'provision' }>,
  firstZone: string | undefined,
): readonly VolumeClaimAction[] {
  const zone = zoneOfNode(node) ?? firstZone;
  if (zone === undefined) {
    const message = 'no topology key found on any node';
    return [{ kind: 'report', type: 'Warning', reason: 'ProvisioningFailed', message }];
  }
  const volume = newVolume(claim, storageClass, zone);
  const message = `Successfully provisioned volume ${volume.metadata.name}`;
  return [
    { kind: 'createVolume', volume },
    { kind: 'report', type: 'Normal', reason: 'ProvisioningSucceeded', message },
    ...bindVolume(volume),
  ];
}

export const zoneOfNode = (node: Node | undefined): string | undefined =>
  node?.metadata.labels?.[kubernetesLabels.zone];

/** The volume comes first, so no other claim takes it. The status of the claim follows when the claim names the volume. */
const bindVolume = (volume: PersistentVolume): readonly VolumeClaimAction[] => [
  { kind: 'claimVolume', volume },
  {
    kind: 'changeClaim',
    patch: {
      metadata: {
        annotations: { 'pv.kubernetes.io/bind-completed': 'yes', 'pv.kubernetes.io/bound-by-controller': 'yes' },
      },
      spec: { volumeName: volume.metadata.name },
    },
  },
];
