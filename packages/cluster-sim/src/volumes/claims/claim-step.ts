import {
  compareQuantities,
  inOrder,
  type Node,
  parseQuantity,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
  byTextOf,
  inReverse,
} from '@nodewright/apis';
import { byObjectKey } from '../../objects/object-key.ts';
import { matchesTerm } from '../../placement/node-selection.ts';
import { isServed } from '../drivers.ts';

/** The annotation by which the scheduler names the node of a claim's first pod. */
export const selectedNodeKey = 'volume.kubernetes.io/selected-node';

const defaultClassKey = 'storageclass.kubernetes.io/is-default-class';

/** What a claim needs next. */
export type ClaimStep =
  /** The claim names no class and gets the default class. */
  | { readonly kind: 'setClass'; readonly name: string }
  | { readonly kind: 'bind'; readonly volume: PersistentVolume }
  /** A volume is created; in the zone of the node when the class waits for a pod. */
  | { readonly kind: 'provision'; readonly storageClass: StorageClass; readonly node?: Node }
  /** The selected node is gone, and the scheduler chooses another. */
  | { readonly kind: 'forgetNode' }
  | { readonly kind: 'wait'; readonly reason: string; readonly message: string };

/** The storage of the cluster, as far as a claim that is not bound needs it. */
export type StorageFacts = {
  readonly storageClasses: readonly StorageClass[];
  readonly volumes: readonly PersistentVolume[];
  /** The node that the claim names in its annotation, when it exists. */
  readonly selectedNode: Node | undefined;
};

/** Decides what a claim that is not bound needs next. */
export function nextClaimStep(claim: PersistentVolumeClaim, facts: StorageFacts): ClaimStep {
  const { storageClassName, volumeName } = claim.spec ?? {};
  if (volumeName !== undefined && volumeName !== '') return bindNamed(claim, volumeName, facts);
  if (storageClassName === undefined) return defaultClass(facts);
  const storageClass = facts.storageClasses.find(({ metadata }) => metadata.name === storageClassName);
  const nodeName = claim.metadata.annotations?.[selectedNodeKey];
  const waits = storageClass?.volumeBindingMode === 'WaitForFirstConsumer';
  if (waits && nodeName === undefined) {
    const message = 'waiting for first consumer to be created before binding';
    return { kind: 'wait', reason: 'WaitForFirstConsumer', message };
  }
  const node = waits ? facts.selectedNode : undefined;
  if (waits && node === undefined) return { kind: 'forgetNode' };
  const found = facts.volumes.toSorted(byObjectKey).find((volume) => suits(claim, volume) && isReachable(volume, node));
  if (found !== undefined) return { kind: 'bind', volume: found };
  if (storageClass === undefined) return missingClass(storageClassName);
  if (isServed(storageClass)) return { kind: 'provision', storageClass, ...(node === undefined ? {} : { node }) };
  const message = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator.`;
  return { kind: 'wait', reason: 'ExternalProvisioning', message };
}

/** The class that is marked as default; of several the youngest, then the first by name. */
function defaultClass({ storageClasses }: Pick<StorageFacts, 'storageClasses'>): ClaimStep {
  const [found] = storageClasses
    .filter(({ metadata }) => metadata.annotations?.[defaultClassKey] === 'true')
    .toSorted(youngestFirst);
  if (found !== undefined) return { kind: 'setClass', name: found.metadata.name };
  const message = 'no persistent volumes available for this claim and no storage class is set';
  return { kind: 'wait', reason: 'FailedBinding', message };
}

function bindNamed(claim: PersistentVolumeClaim, name: string, { volumes }: StorageFacts): ClaimStep {
  const volume = volumes.find(({ metadata }) => metadata.name === name);
  if (volume !== undefined && isFreeFor(claim, volume)) return { kind: 'bind', volume };
  const message =
    volume === undefined ? `volume "${name}" not found` : `volume "${name}" already bound to a different claim.`;
  return { kind: 'wait', reason: 'FailedBinding', message };
}

const missingClass = (name: string): ClaimStep =>
  name === ''
    ? {
        kind: 'wait',
        reason: 'FailedBinding',
        message: 'no persistent volumes available for this claim and no storage class is set',
      }
    : { kind: 'wait', reason: 'ProvisioningFailed', message: `storageclass.storage.k8s.io "${name}" not found` };

function suits(claim: PersistentVolumeClaim, volume: PersistentVolume): boolean {
  if (!isFreeFor(claim, volume)) return false;
  if (isFor(claim, volume)) return true;
  const { storageClassName = '', accessModes = [], capacity } = volume.spec ?? {};
  if (storageClassName !== (claim.spec?.storageClassName ?? '')) return false;
  if ((claim.spec?.accessModes ?? []).some((mode) => !accessModes.includes(mode))) return false;
  const requested = parseQuantity(String(claim.spec?.resources?.requests?.['storage'] ?? '0'));
  return compareQuantities(parseQuantity(String(capacity?.['storage'] ?? '0')), requested) >= 0;
}

const isFor = ({ metadata }: PersistentVolumeClaim, { spec }: PersistentVolume): boolean =>
  spec?.claimRef?.name === metadata.name && spec.claimRef.namespace === metadata.namespace;

/** A volume stays reserved for the claim that it was bound to, also when that claim is gone. */
const isFreeFor = (claim: PersistentVolumeClaim, volume: PersistentVolume): boolean =>
  volume.metadata.deletionTimestamp === undefined &&
  (volume.spec?.claimRef === undefined ||
    (isFor(claim, volume) && (volume.spec.claimRef.uid ?? claim.metadata.uid) === claim.metadata.uid));

/** Whether pods on the node can use the volume. Without a node every volume is reachable. */
export function isReachable({ spec }: PersistentVolume, node: Node | undefined): boolean {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return node === undefined || terms === undefined || terms.some((term) => matchesTerm(node, term));
}

const youngestFirst = inOrder<StorageClass>(
  inReverse(byTextOf(({ metadata }) => metadata.creationTimestamp ?? '')),
  byObjectKey,
);
