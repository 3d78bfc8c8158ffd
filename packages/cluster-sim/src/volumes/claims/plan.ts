import {
  compareQuantities,
  type Node,
  parseQuantity,
  type PersistentVolume,
  type PersistentVolumeClaim,
  type StorageClass,
} from '@nodewright/apis';
import { byObjectKey } from '../../objects/object-key.ts';
import { matchesTerm } from '../../placement/node-selection.ts';
import { isServed } from '../drivers.ts';

/** The node that the scheduler wants to put a claim's first pod on. */
export const selectedNodeKey = 'volume.kubernetes.io/selected-node';

const defaultClassKey = 'storageclass.kubernetes.io/is-default-class';

/** What a claim needs next. */
export type ClaimStep =
  /** It names no class: it gets the default one. */
  | { readonly kind: 'setClass'; readonly name: string }
  | { readonly kind: 'bind'; readonly volume: PersistentVolume }
  /** A volume is to be made; where the class waits for a pod, near that pod's node. */
  | { readonly kind: 'provision'; readonly storageClass: StorageClass; readonly node?: Node }
  /** The node it was to be near is gone: the scheduler chooses anew. */
  | { readonly kind: 'forgetNode' }
  | { readonly kind: 'wait'; readonly reason: string; readonly message: string };

export type StorageFacts = {
  readonly storageClasses: readonly StorageClass[];
  readonly volumes: readonly PersistentVolume[];
  readonly node: (name: string) => Node | undefined;
};

/** @param claim that is not bound yet */
export function planClaim(claim: PersistentVolumeClaim, facts: StorageFacts): ClaimStep {
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
  const node = waits && nodeName !== undefined ? facts.node(nodeName) : undefined;
  if (waits && node === undefined) return { kind: 'forgetNode' };
  const found = facts.volumes.toSorted(byObjectKey).find((volume) => suits(claim, volume) && isReachable(volume, node));
  if (found !== undefined) return { kind: 'bind', volume: found };
  if (storageClass === undefined) return missingClass(storageClassName);
  if (isServed(storageClass)) return { kind: 'provision', storageClass, ...(node === undefined ? {} : { node }) };
  const message = `Waiting for a volume to be created either by the external provisioner '${storageClass.provisioner}' or manually by the system administrator.`;
  return { kind: 'wait', reason: 'ExternalProvisioning', message };
}

/** The class that is marked as default; of several the youngest, then by name. */
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
  const asked = parseQuantity(String(claim.spec?.resources?.requests?.['storage'] ?? '0'));
  return compareQuantities(parseQuantity(String(capacity?.['storage'] ?? '0')), asked) >= 0;
}

const isFor = ({ metadata }: PersistentVolumeClaim, { spec }: PersistentVolume): boolean =>
  spec?.claimRef?.name === metadata.name && spec.claimRef.namespace === metadata.namespace;

/** A volume that was another claim's stays that claim's, also once that is gone. */
const isFreeFor = (claim: PersistentVolumeClaim, volume: PersistentVolume): boolean =>
  volume.metadata.deletionTimestamp === undefined &&
  (volume.spec?.claimRef === undefined ||
    (isFor(claim, volume) && (volume.spec.claimRef.uid ?? claim.metadata.uid) === claim.metadata.uid));

/** Whether pods on the node can use the volume. Without a node, anywhere will do. */
export function isReachable({ spec }: PersistentVolume, node: Node | undefined): boolean {
  const terms = spec?.nodeAffinity?.required?.nodeSelectorTerms;
  return node === undefined || terms === undefined || terms.some((term) => matchesTerm(node, term));
}

const youngestFirst = (a: StorageClass, b: StorageClass): number => {
  const [first = '', second = ''] = [a.metadata.creationTimestamp, b.metadata.creationTimestamp];
  return first === second ? byObjectKey(a, b) : first > second ? -1 : 1;
};
