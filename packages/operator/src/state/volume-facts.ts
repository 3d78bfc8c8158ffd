import type { Pod } from '@nodewright/apis';
import {
  attachedVolumes,
  claimNamesOf,
  podName,
  volumeAlternatives,
  type AttachedVolume,
  type VolumeFacts,
} from '@nodewright/engine';
import type { Requirements } from '@nodewright/requirements';
import type { Objects } from './objects.ts';

/** What the cluster knows of volumes now. */
export const volumeFactsOf = ({ persistentVolumeClaims, persistentVolumes, storageClasses }: Objects): VolumeFacts => ({
  claim: (namespace, name) => persistentVolumeClaims.get(name, namespace),
  volume: (name) => persistentVolumes.get(name),
  storageClass: (name) => storageClasses.get(name),
});

/** What the volumes of pods ask of their nodes, by `namespace/name`; pods without claims are not listed. */
export function volumeRequirementsOf(
  pods: readonly Pod[],
  facts: VolumeFacts,
): ReadonlyMap<string, readonly Requirements[]> {
  const asked = new Map<string, readonly Requirements[]>();
  for (const pod of pods) {
    const alternatives = volumeAlternatives(pod, facts);
    if (alternatives !== undefined) asked.set(podName(pod), alternatives);
  }
  return asked;
}

/** What pods have attached or would have, by `namespace/name`; pods without claims are not listed. */
export function attachedVolumesOf(
  pods: readonly Pod[],
  facts: VolumeFacts,
): ReadonlyMap<string, readonly AttachedVolume[]> {
  const attached = new Map<string, readonly AttachedVolume[]>();
  for (const pod of pods) {
    const volumes = attachedVolumes(pod, facts);
    if (volumes.length > 0) attached.set(podName(pod), volumes);
  }
  return attached.size === 0 ? nothingAttached : attached;
}

/** One for all rounds: what was worked out beside it still holds beside it. */
const nothingAttached: ReadonlyMap<string, readonly AttachedVolume[]> = new Map();

/** Names of the persistent volumes that are bound to the claims of pods. */
export const volumesUsedBy = (pods: readonly Pod[], facts: VolumeFacts): ReadonlyMap<Pod, readonly string[]> =>
  new Map(pods.map((pod) => [pod, volumesOfPod(pod, facts)] as const).filter(([, volumes]) => volumes.length > 0));

const volumesOfPod = (pod: Pod, facts: VolumeFacts): readonly string[] =>
  claimNamesOf(pod).flatMap((name) => facts.claim(pod.metadata.namespace ?? 'default', name)?.spec?.volumeName ?? []);
