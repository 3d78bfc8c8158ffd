import { kubernetesLabels, type PersistentVolume, type Pod, type StorageClass } from '@nodewright/apis';
import {
  requirementsIntersect,
  intersectSets,
  requireOneOf,
  noRequirements,
  requirementSet,
  parseRequirements,
  type Requirements,
} from '@nodewright/requirements';
import { claimNamesOf, claimNamespaceOf, type VolumeFacts } from './volume-facts.ts';

/**
 * What the volumes of a pod ask of its node: any one of the alternatives will do. They constrain the
 * node and are no wish of the pod, so they leave its topology domains alone.
 * @returns `undefined` when the pod uses no claims; an empty list when its volumes exclude each other
 */
export function volumeAlternatives(pod: Pod, facts: VolumeFacts): readonly Requirements[] | undefined {
  const names = claimNamesOf(pod);
  if (names.length === 0) return undefined;
  return names
    .map((name) => alternativesOfClaim(claimNamespaceOf(pod), name, facts))
    .filter((alternatives) => alternatives.length > 0)
    .reduce(bothOf, [noRequirements]);
}

const bothOf = (some: readonly Requirements[], more: readonly Requirements[]): readonly Requirements[] =>
  some.flatMap((a) => more.filter((b) => requirementsIntersect(a, b)).map((b) => intersectSets(a, b)));

/** Empty when the claim may be anywhere. */
function alternativesOfClaim(namespace: string, name: string, facts: VolumeFacts): readonly Requirements[] {
  const { volumeName = '', storageClassName = '' } = facts.claim(namespace, name)?.spec ?? {};
  if (volumeName !== '') return ofVolume(facts.volume(volumeName));
  return ofStorageClass(facts.storageClass(storageClassName));
}

/** A volume on the disk of one node would come with any replacement of it: its host name says nothing. */
function ofVolume(volume: PersistentVolume | undefined): readonly Requirements[] {
  const isOnNode = volume?.spec?.local !== undefined || volume?.spec?.hostPath !== undefined;
  const byAffinity = (volume?.spec?.nodeAffinity?.required?.nodeSelectorTerms ?? [])
    .filter(({ matchExpressions = [] }) => matchExpressions.length > 0)
    .map(({ matchExpressions = [] }) =>
      parseRequirements(matchExpressions.filter(({ key }) => !isOnNode || key !== kubernetesLabels.hostname)),
    );
  const byLabels = ofLabels(volume?.metadata.labels ?? {});
  return byLabels.size === 0 ? byAffinity : bothOf(byAffinity.length === 0 ? [noRequirements] : byAffinity, [byLabels]);
}

const placeLabels: ReadonlySet<string> = new Set([kubernetesLabels.zone, kubernetesLabels.region]);

/** Volumes from before there was an affinity tell by labels where they are: one place, or several between `__`. */
const ofLabels = (labels: Readonly<Record<string, string>>): Requirements =>
  requirementSet(
    Object.entries(labels)
      .map(([key, value]) => requireOneOf(key, value.split('__')))
      .filter(({ key }) => placeLabels.has(key)),
  );

const ofStorageClass = (storageClass: StorageClass | undefined): readonly Requirements[] =>
  (storageClass?.allowedTopologies ?? []).map(({ matchLabelExpressions = [] }) =>
    parseRequirements(matchLabelExpressions.map(({ key, values }) => ({ key, operator: 'In' as const, values }))),
  );
