import type { PersistentVolumeClaim, Pod } from '@nodewright/apis';
import { isForAutoMode, isOfAutoMode } from './auto-mode.ts';
import { claimNamesOf, claimNamespaceOf, type VolumeFacts } from './volume-facts.ts';
import { volumeAlternatives } from './volume-requirements.ts';

const bindCompleted = 'pv.kubernetes.io/bind-completed';

/** Why no node could be found for a pod because of its volumes, in a sentence; `undefined` when one could. */
export function volumeComplaint(pod: Pod, facts: VolumeFacts): string | undefined {
  for (const name of claimNamesOf(pod)) {
    const complaint = claimComplaint(name, facts.claim(claimNamespaceOf(pod), name), facts);
    if (complaint !== undefined) return complaint;
  }
  return volumeAlternatives(pod, facts)?.length === 0
    ? 'its volumes are in places that no one node reaches'
    : undefined;
}

function claimComplaint(
  name: string,
  claim: PersistentVolumeClaim | undefined,
  facts: VolumeFacts,
): string | undefined {
  if (claim === undefined) return `persistentvolumeclaim ${name} is not there`;
  if (claim.metadata.deletionTimestamp !== undefined) return `persistentvolumeclaim ${name} is being deleted`;
  if (claim.status?.phase === 'Lost') return `persistentvolumeclaim ${name} has lost its volume`;
  return (claim.spec?.volumeName ?? '') === '' ? unboundComplaint(claim, facts) : boundComplaint(claim, facts);
}

const forAutoMode = 'is for nodes of EKS Auto Mode alone';

function boundComplaint({ metadata, spec }: PersistentVolumeClaim, facts: VolumeFacts): string | undefined {
  const name = spec?.volumeName ?? '';
  if (metadata.annotations?.[bindCompleted] === undefined) {
    return `persistentvolumeclaim ${metadata.name} is not bound to volume ${name} yet`;
  }
  const volume = facts.volume(name);
  if (volume === undefined) return `persistentvolume ${name} of claim ${metadata.name} is not there`;
  if (isOfAutoMode(volume)) return `persistentvolume ${name} of claim ${metadata.name} ${forAutoMode}`;
  const isLeaving = volume.metadata.deletionTimestamp !== undefined;
  return isLeaving ? `persistentvolume ${name} of claim ${metadata.name} is being deleted` : undefined;
}

function unboundComplaint({ metadata, spec }: PersistentVolumeClaim, facts: VolumeFacts): string | undefined {
  const name = spec?.storageClassName ?? '';
  if (name === '') return `persistentvolumeclaim ${metadata.name} is unbound and names no storage class`;
  const storageClass = facts.storageClass(name);
  if (storageClass === undefined) return `storage class ${name} of claim ${metadata.name} is not there`;
  if (isForAutoMode(storageClass)) return `storage class ${name} of claim ${metadata.name} ${forAutoMode}`;
  return (storageClass.volumeBindingMode ?? 'Immediate') === 'Immediate'
    ? `persistentvolumeclaim ${metadata.name} is unbound, and its storage class ${name} binds before there are pods`
    : undefined;
}
